import type { StandIn } from "#shared/runtime";
import type { PhotoInput } from "../photo/answer.ts";

/** Parts of a recorded description, by what a question is about. */
const TOPICS: readonly { readonly asks: RegExp; readonly says: RegExp }[] = [
  { asks: /\bcolou?rs?\b|\bfarben?\b/i, says: /Main colours: [^.]*\./ },
  { asks: /\b(?:dark|bright|light|contrast|hell|dunkel)\b/i, says: /It is [^.]*\./ },
  { asks: /\b(?:large|big|size|pixels?|format|wide|high|groß)\b/i, says: /A picture in [^.]*\./ },
  { asks: /\b(?:lines?|written|writing|zeilen)\b/i, says: /A written page [^.]*\./ },
];

/** Answers from the description. */
export const answerAboutPicture: StandIn = ({ question, description }: PhotoInput) => {
  const answer = TOPICS.filter(({ asks }) => asks.test(question))
    .flatMap(({ says }) => says.exec(description)?.[0] ?? [])
    .join(" ");
  return answer === ""
    ? { is_shown: false, answer: "The description of the picture does not say that." }
    : { is_shown: true, answer };
};
