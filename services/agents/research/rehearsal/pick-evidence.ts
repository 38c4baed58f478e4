import { findNumbers } from "../reading/quantities/numbers.ts";
import { readQuantities } from "../reading/quantities/quantities.ts";
import { QUOTE_CHARACTERS_MAX, readSentences } from "../reading/sentences.ts";
import { shareOf, termsOf } from "../reading/words.ts";

/** A paragraph of a source, as far as it is read. */
export interface Readable {
  readonly source_id: string;
  readonly title: string;
  readonly publisher?: string;
  readonly text: string;
}

/** A sentence that says something to a question, with the passage it stands in. */
export interface Evidence<P extends Readable> {
  readonly quote: string;
  readonly passage: P;
  readonly score: number;
}

/** Share of a question's words that a sentence and its title have at least, and the sentence by itself. */
const COVER_MIN = 0.6;
const OWN_MIN = 0.3;
/** The same where sentence and title have all of them. */
const OWN_WITH_TITLE_MIN = 0.2;
/** The same for what a question points back to, which its passage has to speak of. */
const SUBJECT_MIN = 0.4;
/** What a word of the title counts, beside one of the sentence. */
const TITLE_WEIGHT = 0.2;
/** A sentence of fewer words says nothing by itself. */
const OWN_TERMS_MIN = 2;
const ASKS_FIGURE =
  /\bhow (?:many|much|high|long|large|old|far|heavy|often)\b|\bcosts?\b|\bwhen\b|\bnumber\b|\bprice\b/i;
/** Asks for a count or a measure, which no day and no year answers. */
const ASKS_MEASURE = /\bhow (?:many|much|high|long|large|old|far|heavy)\b/i;
const FIGURE = /\b(?:third|half|quarter|tenth|fifth)\b/i;

/** Picks sentences that share words with a question, the best first; at most `perSource` of one source. */
export function pickEvidence<P extends Readable>(
  question: string,
  { passages, perSource }: { readonly passages: readonly P[]; readonly perSource: number },
): Evidence<P>[] {
  const [, asked = question, subject = ""] = /^(.*?)\s\(([^()]*)\)$/.exec(question) ?? [];
  const [wanted, about] = [new Set(termsOf(asked)), new Set(termsOf(subject))];
  const required = requiredOf(question);
  const ranked = passages
    .flatMap((passage) => readSentences(passage.text).map((quote) => ({ quote, passage })))
    .filter(({ quote }) => quote.length <= QUOTE_CHARACTERS_MAX && !quote.endsWith("?"))
    .filter(({ quote }) => isOpenQuestion(question) || hasFigure(quote, question))
    .flatMap(({ quote, passage }) => {
      const { title, publisher = "", text } = passage;
      const own = new Set(termsOf(quote));
      const around = own.union(new Set(termsOf(`${title} ${publisher}`)));
      if (!required.isSubsetOf(around) || own.size < OWN_TERMS_MIN) return [];
      const cover = shareOf(wanted, own);
      const covered = shareOf(wanted, own.union(new Set(termsOf(title))));
      const isOn = covered === 1 ? cover >= OWN_WITH_TITLE_MIN : cover >= OWN_MIN && covered >= COVER_MIN;
      const isAbout = about.size === 0 || shareOf(about, around.union(new Set(termsOf(text)))) >= SUBJECT_MIN;
      // Among sentences that say as much, the one that says less else.
      const score =
        cover +
        shareOf(about, own) +
        TITLE_WEIGHT * shareOf(wanted.union(about), new Set(termsOf(title))) +
        1 / (1 + own.size);
      return isOn && isAbout ? [{ quote, passage, score }] : [];
    })
    .toSorted((a, b) => b.score - a.score);
  const taken = new Map<string, number>();
  return ranked.filter(({ passage }) => {
    const count = (taken.get(passage.source_id) ?? 0) + 1;
    taken.set(passage.source_id, count);
    return count <= perSource;
  });
}

/** A day and a price have digits; a count and a share may be told in words. */
function hasFigure(quote: string, question: string): boolean {
  if (ASKS_MEASURE.test(question) && /\d/.test(quote))
    return readQuantities(quote).some(({ kind }) => kind === "measure");
  if (/\d/.test(quote)) return true;
  if (/\bhow many\b/i.test(question)) return findNumbers(quote, "point").length > 0;
  return /\bhow much of\b/i.test(question) && FIGURE.test(quote);
}

/** Names and figures of a question: a sentence without them is about something else. */
function requiredOf(question: string): Set<string> {
  const [first = "", ...rest] = question.split(/\s+/);
  const names = rest.filter((word) => /^[("']?\p{Lu}/u.test(word) && !/^[("']?[AI]$/.test(word));
  const figures = [first, ...rest].filter((word) => /\d/.test(word));
  return new Set(termsOf([...names, ...figures].join(" ")));
}

/** Returns whether a question asks for more than a figure. */
export function isOpenQuestion(question: string): boolean {
  return !ASKS_FIGURE.test(question);
}
