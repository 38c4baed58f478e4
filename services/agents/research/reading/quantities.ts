import { foldText, stem } from "./words.ts";

/** A number with what it counts. */
export interface Quantity {
  readonly value: number;
  /** Roots of up to three words that follow it: "750 lead service pipes" counts lead, service, pipe. */
  readonly unit: readonly string[];
  /** "euros a year": year; "" where it is no rate. */
  readonly per: string;
}

const SCALE: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };
const MONTH = "January|February|March|April|May|June|July|August|September|October|November|December";
const DAY = new RegExp(`(?<!\\d)(\\d{1,2}) (${MONTH}) (\\d{4})(?!\\d)`, "g");
const YEAR =
  /(?<![\d.,€$-])(?:19|20)\d{2}(?![\d,]*\d|\.\d| (?:per|million|thousand|euro|home|passenger|meal|tonne))/g;
const NUMBER = /(?<![\d.,\p{L}])(€\s?)?(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,6})?(?![\d])/gu;
/** Ends what a number counts. */
const STOP = new Set(
  "a an and are as at be but by each every for from had has have in is it more of on or per since than that the their to was were when which who with".split(
    " ",
  ),
);
const UNIT_WORDS_MAX = 3;

/** Every number of a text with its unit, dates and bare years apart. */
export function readQuantities(text: string): Quantity[] {
  const plain = text.replaceAll(DAY, " ").replaceAll(/per cent|%/g, "percent");
  const years = new Set([...plain.matchAll(YEAR)].map(({ index }) => index));
  return [...plain.matchAll(NUMBER)]
    .filter(({ index }) => !years.has(index))
    .map((found) => {
      const [whole, currency, digits = "", fraction = ""] = found;
      const value = Number(digits.replaceAll(",", "") + fraction);
      return withUnit(plain.slice(found.index + whole.length), { value, currency });
    });
}

function withUnit(
  after: string,
  { value, currency }: { readonly value: number; readonly currency: string | undefined },
): Quantity {
  const clause = /^[^.,;:!?()]{0,80}/.exec(after)?.[0] ?? "";
  const words = foldText(clause).split(" ").filter(Boolean);
  const scale = SCALE[words[0] ?? ""];
  const rest = scale === undefined ? words : words.slice(1);
  const end = rest.findIndex((word) => STOP.has(word));
  const counted = (end === -1 ? rest : rest.slice(0, end)).slice(0, UNIT_WORDS_MAX);
  const [article = "", rate = ""] = rest.slice(counted.length);
  return {
    value: value * (scale ?? 1),
    unit: [...(currency === undefined ? [] : ["euro"]), ...counted.map(stem)],
    per: ["a", "an", "per", "each"].includes(article) ? stem(rate) : "",
  };
}

/** Days that a text names, as `2021-10-9`. */
export function readDays(text: string): string[] {
  const months = MONTH.split("|");
  return [...text.matchAll(DAY)].map(
    ([, day = "", month = "", year = ""]) => `${year}-${months.indexOf(month) + 1}-${Number(day)}`,
  );
}

/** Years that a text names, by themselves or in a date. */
export function readYears(text: string): string[] {
  return [...text.matchAll(YEAR)].map(([year]) => year);
}

/** Every figure of a text as it counts, dates and years included: what a claim may not make up. */
export function readFigures(text: string): Set<string> {
  const figures = [...text.matchAll(NUMBER)];
  return new Set(
    figures.map(([, , digits = "", fraction = ""]) => String(Number(digits.replaceAll(",", "") + fraction))),
  );
}
