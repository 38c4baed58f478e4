import { readDays, readQuantities, readYears } from "../reading/quantities.ts";
import { readSentences } from "../reading/sentences.ts";
import { shareOf, termsOf } from "../reading/words.ts";

/** A paragraph of a source, as far as it is read. */
export interface Readable {
  readonly source_id: string;
  readonly title: string;
  readonly text: string;
}

/** A sentence that says something to a question, with the passage it stands in. */
export interface Evidence<P extends Readable> {
  readonly quote: string;
  readonly passage: P;
  readonly score: number;
}

/** Shares of a question's words that a sentence has at least, by itself and with its title: one of these pairs. */
const COVERS = [
  { own: 0.4, whole: 0.6 },
  { own: 0.2, whole: 0.75 },
] as const;
/** What a word of the title counts, beside one of the sentence. */
const TITLE_WEIGHT = 0.2;
const QUOTE_CHARACTERS_MAX = 380;
/** A sentence of fewer words says nothing by itself. */
const OWN_TERMS_MIN = 3;

const ASKS_AMOUNT =
  /\bhow (?:many|much|high|long|large|big|often|old|far|heavy|fast)\b|\bcosts?\b|\bshare\b|\bnumber\b|\bprice\b/i;
const ASKS_MONEY = /\b(?:costs?|price|prices|how expensive|earns?)\b/i;
const MONEY = new Set(["euro", "cent", "dollar", "pound", "franc"]);
const NUMBER_WORD =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred|half|third|quarter|twice|nobody|none)\b/i;
const ASKS_TIME = /\bwhen\b|\bwhich (?:year|day|date)\b|\bsince when\b|\bwhat (?:year|day|date)\b/i;

/** Sentences that answer a question, as far as words show it, the best first; at most `perSource` of one source. */
export function pickEvidence<P extends Readable>(
  question: string,
  { passages, perSource }: { readonly passages: readonly P[]; readonly perSource: number },
): Evidence<P>[] {
  const wanted = new Set(termsOf(question));
  const ranked = passages
    .flatMap((passage) =>
      readSentences(passage.text).map((quote) => weigh({ question, wanted, quote, passage })),
    )
    .filter((one) => one !== null)
    .toSorted((a, b) => b.score - a.score);
  const taken = new Map<string, number>();
  return ranked.filter(({ passage }) => {
    const count = (taken.get(passage.source_id) ?? 0) + 1;
    taken.set(passage.source_id, count);
    return count <= perSource;
  });
}

function weigh<P extends Readable>(one: {
  readonly question: string;
  readonly wanted: ReadonlySet<string>;
  readonly quote: string;
  readonly passage: P;
}): Evidence<P> | null {
  const { question, wanted, quote, passage } = one;
  if (quote.length > QUOTE_CHARACTERS_MAX || quote.endsWith("?")) return null;
  const own = new Set(termsOf(quote));
  if (own.size < OWN_TERMS_MIN) return null;
  const title = new Set(termsOf(passage.title));
  const cover = shareOf(wanted, own);
  const whole = shareOf(wanted, own.union(title));
  if (!COVERS.some((least) => cover >= least.own && whole >= least.whole)) return null;
  if (!answersItsKind(question, quote)) return null;
  // Among sentences that say as much, the one that says less else.
  const terse = 1 / (1 + own.size);
  return { quote, passage, score: cover + TITLE_WEIGHT * shareOf(wanted, title) + terse };
}

/** Whether a question asks for more than one amount or one time. */
export function isOpenQuestion(question: string): boolean {
  return !ASKS_AMOUNT.test(question) && !ASKS_TIME.test(question);
}

/** A question for a price is answered by money, one for an amount by a number, one for a time by a time. */
function answersItsKind(question: string, quote: string): boolean {
  if (ASKS_TIME.test(question)) return readDays(quote).length + readYears(quote).length > 0;
  const quantities = readQuantities(quote);
  if (ASKS_MONEY.test(question)) return quantities.some(({ unit }) => unit.some((word) => MONEY.has(word)));
  return !ASKS_AMOUNT.test(question) || quantities.length > 0 || NUMBER_WORD.test(quote);
}
