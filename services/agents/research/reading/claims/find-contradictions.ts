import { QUOTE_CHARACTERS_MAX, readSentences } from "../sentences.ts";
import { termsOf } from "../words.ts";
import { compareClaim } from "./compare-claim.ts";
import { saysOtherwise } from "./says-otherwise.ts";
import type { Sourced } from "./says-otherwise.ts";

/** Sentences that are added to one answer at most because they contradict what is cited. */
const UNTOLD_MAX = 4;

/**
 * Finds pairs of statements of different sources about the same thing with another figure, day, year or name, or of
 * which one denies the other.
 *
 * @param question - What they are to answer. Default: unknown.
 */
export function findContradictions<S extends Sourced>(
  statements: readonly S[],
  question = "",
): { readonly one: S; readonly other: S }[] {
  return statements.flatMap((one, index) =>
    statements
      .slice(index + 1)
      .filter((other) => one.source_id !== other.source_id && contradict(one, other, question))
      .map((other) => ({ one, other })),
  );
}

function contradict(one: Sourced, other: Sourced, question: string): boolean {
  return haveOtherFigures(one.quote, other.quote) || saysOtherwise(one, other, question);
}

/** The statement with fewer words is held against the other, which may say more besides. */
function haveOtherFigures(one: string, other: string): boolean {
  const [shorter = "", longer = ""] = [one, other].toSorted((a, b) => termsOf(a).length - termsOf(b).length);
  const found = compareClaim(shorter, { text: longer, title: "" });
  return found?.stance === "against" && found.by === "figures";
}

interface Readable {
  readonly passage_id: string;
  readonly source_id: string;
  readonly title: string;
  readonly text: string;
}

/** Finds sentences of the passages that contradict what is cited and are not cited themselves. */
export function findUntold<P extends Readable>(
  cited: readonly Sourced[],
  { question, passages }: { readonly question: string; readonly passages: readonly P[] },
): { readonly quote: string; readonly passage: P }[] {
  const told = new Set(cited.map(({ quote }) => quote));
  return passages
    .flatMap((passage) => readSentences(passage.text).map((quote) => ({ quote, passage })))
    .filter(({ quote }) => quote.length <= QUOTE_CHARACTERS_MAX && !told.has(quote))
    .filter(({ quote, passage: { source_id, title } }) =>
      cited.some(
        (one) => one.source_id !== source_id && contradict(one, { quote, source_id, title }, question),
      ),
    )
    .slice(0, UNTOLD_MAX);
}
