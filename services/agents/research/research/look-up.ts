import { z } from "zod";
import { checkAnswered, contract, withCheck } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { checkCited, holdsWords } from "../text.ts";
import { quote as quoteForm, reading, PASSAGES_MAX } from "../contracts.ts";
import type { ConversationPlace, Passage } from "../contracts.ts";
import type { Library } from "../outside/library.ts";
import { completeAnswer } from "../result.ts";
import type { Answer, AnsweredPart, Citation } from "../result.ts";
import { verifyClaims } from "../verify/verify-claims.ts";

/** Questions of one message that are answered at once, one by one; more are investigated. */
export const LOOKUP_PARTS_MAX = 3;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "answer");

/** Label of text that a search brings in; its steps are called `search`. */
export const SOURCE_LABEL = "source";

const lookedUp = z.object({
  question_id: z.string().max(8),
  /** Empty: the passages hold no answer. */
  sentences: z.array(reading).max(5),
  /** Part of the question that the passages do not answer. Empty: they answer all of it. */
  missing: z.string().max(600),
  /** An assumption of the question, in its words, that a passage denies. Null: none. */
  denied: z
    .object({ assumed: z.string().min(1).max(300), quote: quoteForm, passage_id: z.string().max(200) })
    .nullable(),
  /** True where the passages that are cited say different things. */
  disagree: z.boolean(),
});

type LookedUp = z.output<typeof lookedUp>;

export const LookupAnswer = contract(
  "research.lookup@3",
  z.object({ parts: z.array(lookedUp).min(1).max(LOOKUP_PARTS_MAX) }),
  {
    description:
      "For each question sentences that answer it, each with the exact words of the passage it rests on, and what stays open.",
  },
);

interface LookupInput {
  readonly parts: readonly {
    readonly question_id: string;
    readonly question: string;
    readonly passages: readonly Passage[];
  }[];
}

/** Answers up to three questions from passages, in place of a reply. Asks no model where nothing is found. */
export async function lookUp(
  ctx: Context,
  asked: {
    readonly library: Library;
    readonly place: ConversationPlace;
    readonly questions: readonly string[];
  },
): Promise<HandlerOutcome> {
  const { library, place, questions } = asked;
  const searched = await ctx.step("search", (signal) =>
    Promise.all(questions.map((text) => library.search({ text, passagesMax: PASSAGES_MAX }, signal))),
  );
  const parts = questions.map((question, index) => ({
    question_id: `q${index + 1}`,
    question,
    passages: searched[index]?.passages ?? [],
  }));
  const isFound = parts.some(({ passages }) => passages.length > 0);
  const answers = isFound ? await ask(ctx, { parts }) : [];
  const heldBack = new Map(
    searched.flatMap(({ held_back: held }) => held).map((one) => [one.source_id, one]),
  );
  return completeAnswer(ctx, {
    place,
    answer: { ...toAnswer(await settle(ctx, { parts }, answers)), held_back: [...heldBack.values()] },
    topics: questions,
    labels: [SOURCE_LABEL],
  });
}

async function ask(ctx: Context, input: LookupInput): Promise<readonly LookedUp[]> {
  const answers = withCheck(LookupAnswer, ({ parts }) => [
    // One answer for each question, so that none is passed over.
    ...checkAnswered(input.parts.map(idOf), parts.map(idOf), "/parts"),
    ...parts.flatMap((part, index) => checkPart(part, input, `/parts/${index}`)),
  ]);
  return (await ctx.model("answer", { instructions: INSTRUCTIONS, input, answers })).parts;
}

const idOf = ({ question_id: id }: { readonly question_id: string }): string => id;

function checkPart(
  { question_id: id, sentences, denied }: LookedUp,
  input: LookupInput,
  at: string,
): Issue[] {
  const asked = input.parts.find((part) => part.question_id === id);
  if (asked === undefined)
    return [{ path: `${at}/question_id`, code: "unknown_question", message: "was not asked" }];
  const issues = checkCited(sentences, asked.passages, `${at}/sentences`);
  if (denied === null) return issues;
  issues.push(...checkCited([denied], asked.passages, `${at}/denied`));
  if (!holdsWords(asked.question, denied.assumed))
    issues.push({
      path: `${at}/denied/assumed`,
      code: "invented_words",
      message: "does not stand in the question",
    });
  return issues;
}

/** Keeps of each answer what a second reading of the single passages says too. */
async function settle(
  ctx: Context,
  { parts }: LookupInput,
  answers: readonly LookedUp[],
): Promise<Settled[]> {
  const settled = parts.map(({ question_id: id, question, passages }) => {
    const part = answers.find((one) => one.question_id === id);
    const cite = <Citing extends { readonly passage_id: string }>(citing: Citing) => {
      const passage = passages.find((one) => one.passage_id === citing.passage_id);
      return passage === undefined ? [] : [{ ...citing, passage }];
    };
    const said = (part?.sentences ?? []).flatMap(cite);
    const denied = [part?.denied ?? []].flat().flatMap(cite);
    return { question, said, denied, missing: part?.missing ?? "", disagree: part?.disagree === true };
  });
  const pairs = settled.flatMap(({ question, said, denied }) => [
    ...said.map(({ statement, passage }) => ({ claim: statement, passage })),
    ...denied.map(({ passage }) => ({ claim: question, passage })),
  ]);
  const verdicts = (await verifyClaims(ctx, pairs)).values();
  return settled.map(({ said, denied, ...rest }) => {
    const kept = said.filter(() => verdicts.next().value === "supports");
    const [denial = null] = denied
      .filter(() => verdicts.next().value === "contradicts")
      .map(({ assumed, quote, passage }) => ({
        statement: `You write "${assumed}"; ${passage.publisher} writes "${quote}"`,
        quote,
        passage,
      }));
    return { ...rest, said: kept, denial, unconfirmed: said.length - kept.length };
  });
}

interface Said {
  readonly statement: string;
  readonly quote: string;
  readonly passage: Passage;
}

/** The answer to one question, after the second reading. */
export interface Settled {
  readonly question: string;
  /** Part of the question that the passages do not answer. Empty: they answer all of it. */
  readonly missing: string;
  /** True where the passages that are cited say different things. */
  readonly disagree: boolean;
  readonly said: readonly Said[];
  /** Words of a source against an assumption of the question. Null: there are none. */
  readonly denial: Said | null;
  /** Sentences that a second reading did not find in their passages. */
  readonly unconfirmed: number;
}

const NOTHING = "I have found nothing on this in the sources that I have.";
const UNCONFIRMED =
  "a second reading of the sources did not bear out a part of the answer, which is left out";

/** Puts the answers to all questions together. The whole is answered only where every part is. */
export function toAnswer(settled: readonly Settled[]): Omit<Answer, "held_back"> {
  const citations: Citation[] = [];
  const written = settled.map((one) => writePart(one, citations));
  const parts = written.map(({ part }) => part);
  const texts = written.map(({ text, part: { question } }, index) =>
    parts.length === 1 ? text : `${index + 1}. ${question}\n${text}`,
  );
  return {
    kind: "lookup",
    answered_by: "research",
    rounds: 0,
    claims: [],
    status: parts.every(({ status }) => status === "answered")
      ? "answered"
      : parts.every(({ markers }) => markers.length === 0)
        ? "not_found"
        : "open_points",
    answer: texts.join("\n\n"),
    citations,
    parts,
    open: written.flatMap(({ open }) => open),
  };
}

function writePart(
  { question, said, denial, missing, disagree, unconfirmed }: Settled,
  citations: Citation[],
): { readonly part: AnsweredPart; readonly text: string; readonly open: readonly string[] } {
  const all = [...(denial === null ? [] : [denial]), ...said];
  const markers = all.map(({ quote, passage: { source_id, title, publisher, published } }) => {
    const marker = String(citations.length + 1);
    citations.push({ marker, source_id, title, publisher, published, quote });
    return marker;
  });
  const left = [
    ...(missing.trim() === "" ? [] : [missing.trim()]),
    ...(unconfirmed === 0 ? [] : [UNCONFIRMED]),
  ];
  const isOpen = all.length === 0 || left.length > 0;
  const status = denial !== null ? "contradicted" : isOpen ? "open" : "answered";
  const sources = new Set(all.map(({ passage }) => passage.source_id));
  const lines = all.map(({ statement }, index) => `${statement} [${markers[index] ?? ""}]`);
  const open = (left.length > 0 ? left : [question]).map((what) => `not answered by the sources: ${what}`);
  return {
    part: { question, status, sources_disagree: disagree && sources.size > 1, markers },
    text: [...(lines.length === 0 ? [NOTHING] : lines), ...left.map((what) => `Open: ${what}`)].join("\n"),
    open:
      status === "answered" ? [] : status === "open" ? open : [`contradicted by the sources: ${question}`],
  };
}
