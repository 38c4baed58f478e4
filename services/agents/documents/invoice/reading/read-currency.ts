import { ambiguous, notStated } from "./reading.ts";
import type { Line, Reading } from "./reading.ts";

/** Currencies that are known by their code. */
const CODES =
  "EUR|USD|GBP|CHF|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|JPY|CNY|AED|SAR|QAR|KWD|BHD|OMR|JOD|EGP|MAD|TND|BRL|MXN|ARS|CLP|COP|CAD|AUD|NZD|SGD|HKD|INR|TRY|ZAR|UAH|ILS|KRW|THB";

/** Signs and words that stand for one currency. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/€|(?<!\p{L})euros?(?!\p{L})|(?<!\p{L})ευρώ(?!\p{L})/iu, "EUR"],
  [/£|(?<!\p{L})pounds? sterling(?!\p{L})/iu, "GBP"],
  [/(?<!\p{L})zł(?:ot\p{L}+)?(?!\p{L})/iu, "PLN"],
  [/R\$/, "BRL"],
  [/US\$/, "USD"],
  [/(?<![A-Z])CA?\$/, "CAD"],
  [/(?<![A-Z])AU?\$/, "AUD"],
  [/NZ\$/, "NZD"],
  [/HK\$/, "HKD"],
  [/₹/, "INR"],
  [/(?<!\p{L})Kč(?!\p{L})/u, "CZK"],
  [/\d\s?円|円\s?\d/, "JPY"],
  [/\d\s?元/, "CNY"],
];

/** Signs of several currencies, with those. */
const SHARED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?<![A-Z])\$/, ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP"]],
  [/(?<!\p{L})kr(?!\p{L})|(?<=\d)kr(?!\p{L})/iu, ["SEK", "NOK", "DKK", "ISK"]],
  [/¥/, ["JPY", "CNY"]],
];

const CODE = new RegExp(`(?<![A-Z])(?:${CODES})(?![A-Z])`, "g");
/** Japanese letters, or its name of a tax: a yen sign is no yuan then. */
const JAPANESE = /[\u3041-\u30ff]|消費税/u;

interface Mentions {
  readonly sure: Set<string>;
  /** Currencies that share a sign. */
  readonly shared: Set<string>;
}

/**
 * Reads the currency of an amount: of its own line, else of the whole document. Never assumed: none is `not_stated`; a
 * sign of several currencies that nothing in the document settles, or several currencies, are `ambiguous`.
 */
export function readCurrency(lines: readonly Line[], amount: Line | null): Reading<string> {
  const isJapanese = lines.some(({ text }) => JAPANESE.test(text));
  const all = mentionsIn(lines, isJapanese);
  const own = amount === null ? all : mentionsIn([amount], isJapanese);
  const here = own.sure.size + own.shared.size === 0 ? all : own;
  const line = lines.find((one) => hasMention(one, isJapanese)) ?? null;
  const at = amount !== null && hasMention(amount, isJapanese) ? amount : line;
  const sure = [...here.sure];
  const [only] = sure;
  if (only !== undefined && sure.length === 1 && (here.shared.size === 0 || here.shared.has(only)))
    return { value: only, unread: null, line: at, candidates: sure };
  if (sure.length > 0) return ambiguous([...sure, ...here.shared], at);
  if (here.shared.size === 0) return notStated();
  // The document may say elsewhere which of them its sign is.
  const settled = [...all.sure].filter((code) => here.shared.has(code));
  const [code] = settled;
  if (code !== undefined && settled.length === 1)
    return { value: code, unread: null, line: at, candidates: settled };
  return ambiguous([...here.shared], at);
}

function hasMention(line: Line, isJapanese: boolean): boolean {
  const { sure, shared } = mentionsIn([line], isJapanese);
  return sure.size + shared.size > 0;
}

function mentionsIn(lines: readonly Line[], isJapanese: boolean): Mentions {
  const sure = new Set<string>();
  const shared = new Set<string>();
  for (const { text } of lines) {
    for (const [code] of text.matchAll(CODE)) sure.add(code);
    for (const [sign, code] of SIGNS) if (sign.test(text)) sure.add(code);
    for (const [sign, codes] of SHARED) {
      if (!sign.test(text)) continue;
      if (isJapanese && codes.includes("JPY")) sure.add("JPY");
      else codes.forEach((code) => shared.add(code));
    }
  }
  return { sure, shared };
}
