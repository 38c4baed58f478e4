import type { JsonSchema } from "#shared/json";
import { fitted, satisfies, unfit } from "./aligner.ts";
import type { Aligner, Alignment, Fit } from "./aligner.ts";
import { decimalOf, exactNumber, isSameDecimal, plainDigits, timesFraction } from "./decimal.ts";
import type { Decimal } from "./decimal.ts";
import {
  currencyBeside,
  declaredScale,
  declaredUnit,
  isCounted,
  isCurrency,
  isSameUnit,
  mayBeCurrency,
} from "./units.ts";

/** Longer texts are not read as numbers. */
const NUMBER_CHARS_MAX = 200;

/** Reads a text as a number: digit grouping, decimal commas, units, fractions of a declared scale. */
export function alignNumber(aligner: Aligner, fit: Fit, text: string): Alignment {
  if (text.length > NUMBER_CHARS_MAX && text.trim().length > NUMBER_CHARS_MAX) return unfit(fit, "mismatch");
  const plain = withSign(
    plainDigits(text)
      .trim()
      .replace(/^[*_`"']+|[*_`"']+$/g, "")
      .trim(),
  );
  const parts = splitUnit(plain);
  if (parts === undefined) return unfit(fit, "mismatch");
  const readings = readingsOf(parts.number, isInteger(fit.schema));
  const scaled = readings
    .map((reading) => inDeclaredUnit(fit, reading, parts))
    .filter((one) => one !== undefined);
  const numbers = new Set(scaled.map(exactNumber).filter((number) => number !== undefined));
  const fitting = [...numbers].filter((number) => satisfies(aligner, number, fit.schema));
  const [value] = fitting;
  if (value === undefined) return unfit(fit, "mismatch");
  // No common currency has three decimals, so "$1,234" is grouped.
  if (fitting.length > 1 && !isCurrency(parts.unit)) return unfit(fit, "ambiguous");
  const chosen = fitting.length > 1 ? Math.max(...fitting.map(Math.abs)) * Math.sign(value) : value;
  return fitted(
    fit,
    chosen,
    parts.unit === "" ? "text_to_number" : "unit_removed",
    parts.number === plain ? 1 : 2,
  );
}

/** Accountants write -1,234.50 as (1,234.50) or 1,234.50-. `(3)` alone may be a remark. */
function withSign(text: string): string {
  const negative = /^\(([^()-]*(?:\d[.,]\d|\p{Sc})[^()-]*)\)$|^([^-]*\d)\s?-$/u.exec(text);
  return negative === null ? text : `-${negative[1] ?? negative[2] ?? ""}`;
}

function isInteger(schema: JsonSchema): boolean {
  const type = schema["type"];
  return type === "integer" || (Array.isArray(type) && type.includes("integer") && !type.includes("number"));
}

interface Parts {
  readonly number: string;
  readonly unit: string;
  /** Denominator of `4/5`. */
  readonly of: string;
}

/** A unit before the number, the number, the whole of a fraction, or a unit behind. */
const NUMBER_AND_UNIT =
  /^(\p{Sc}|[A-Z]{1,2}\$|(?:[A-Z]{3}|kr\.?|Rs\.?)\s)?\s*([-+−]?\s?\p{Sc}?(?:\d[\d.,_'’\u00A0\u202F ]*\d|\d|\.\d+|\d+\.)(?:[eE][+-]?\d+)?)\s*(?:(?:\/|out of|of)\s*(\d{1,6})|((?:deg(?:rees?|\.)?\s+)?[\p{L}\p{Sc}%°µ][\p{L}%²³/]*\.?(?:\s+per\s+\p{L}+)?))?$/u;

/** Splits `49.90 EUR`, `$12` or `4/5`; undefined for other text. */
function splitUnit(text: string): Parts | undefined {
  if (text.length > 80) return undefined;
  const found = NUMBER_AND_UNIT.exec(text);
  if (found === null) return undefined;
  const [, before = "", number = "", of = "", after = ""] = found;
  const inner = /\p{Sc}/u.exec(number)?.[0] ?? "";
  const units = [before.trim(), inner, after].filter((one) => one !== "");
  if (units.length > 1) return undefined;
  return {
    number: number
      .replace(/\p{Sc}/u, "")
      .replace("−", "-")
      .replace(/^([-+])\s/, "$1"),
    unit: units[0] ?? "",
    of,
  };
}

/** Returns the numbers that a text may mean: "1,234" has two readings, "1,234.5" and "1.5" have one. */
function readingsOf(text: string, integer: boolean): Decimal[] {
  const sign = text.startsWith("-") ? "-" : "";
  const body = text.replace(/^[-+]/, "").replaceAll("_", "");
  const spaced = /^\d{1,3}([ '’\u00A0\u202F]\d{3})+(?:[.,]\d+)?$/.test(body)
    ? body.replaceAll(/[ '’\u00A0\u202F]/g, "")
    : body;
  const forms = MARKS.flatMap(({ grouping, decimal, form }) =>
    form.test(spaced) ? [spaced.replaceAll(grouping, "").replace(decimal, ".")] : [],
  );
  // A comma before three digits groups them where decimals are impossible; "1.000" may still be 1.
  const isGrouped = integer && forms.length > 1 && spaced.includes(",");
  return (isGrouped ? forms.slice(0, 1) : forms)
    .map((form) => decimalOf(sign + form))
    .filter((one) => one !== undefined);
}

/** The marks of numbers in two parts of the world, with the numbers that have them. */
const MARKS = [",.", ".,"].map(([grouping = "", decimal = ""]) => ({
  grouping,
  decimal,
  form: new RegExp(
    `^(?:[1-9]\\d{0,2}(?:\\${grouping}\\d{2,3})*\\${grouping}\\d{3}(?:\\${decimal}\\d*)?|\\d*(?:\\${decimal}\\d*)?(?:[eE][+-]?\\d+)?)$`,
  ),
}));

/** Takes off the unit that the contract states, or rescales; undefined when text and contract disagree. */
function inDeclaredUnit(fit: Fit, number: Decimal, parts: Parts): Decimal | undefined {
  const scale = declaredScale(fit);
  const declared = declaredUnit(fit);
  if (parts.of !== "") {
    // Converts between scales only when the contract states its scale.
    const isSame = String(scale) === parts.of || typeof fit.schema["x-scale"] === "number";
    return scale !== undefined && isSame ? onScale(number, { of: parts.of, scale }) : undefined;
  }
  if (parts.unit === "" || isCounted(fit, parts.unit)) return number;
  if (declared !== undefined) {
    if (isSameUnit(parts.unit, declared)) return number;
    if (isCurrency(declared)) return mayBeCurrency(parts.unit, declared) ? number : undefined;
  }
  if (parts.unit === "%" && (scale === 1 || scale === 100 || typeof fit.schema["x-scale"] === "number"))
    return onScale(number, { of: "100", scale: scale ?? 100 });
  if (declared !== undefined || !isCurrency(parts.unit)) return undefined;
  const beside = currencyBeside(fit.beside);
  // A currency member beside it must match the text's currency.
  if (beside !== undefined) return mayBeCurrency(parts.unit, beside) ? number : undefined;
  return /^\s*[$€£¥]\s*$/.test(parts.unit) && !isInteger(fit.schema) ? number : undefined;
}

/** Rescales: 4/5 is 4 on a scale of 5, and 8 on a scale of 10. */
function onScale(number: Decimal, { of, scale }: { of: string; scale: number }): Decimal | undefined {
  const target = decimalOf(String(scale));
  const whole = decimalOf(of);
  if (target === undefined || whole === undefined) return undefined;
  if (isSameDecimal(target, whole)) return number;
  return timesFraction(number, [target.digits, whole.digits * 10n ** BigInt(target.scale)]);
}
