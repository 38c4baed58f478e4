import { WORK } from "../bounds.ts";
import type { JsonValue } from "#shared/schema";
import { spend } from "../read/reader.ts";
import type { Tree } from "../read/tree.ts";
import { dateOfParts, datesOf, dateTimesOf } from "./align-date.ts";
import { alignNumber } from "./align-number.ts";
import { fitted, satisfies, unfit } from "./aligner.ts";
import type { Aligner, Alignment, Fit } from "./aligner.ts";
import { bared } from "./match-words.ts";

/** Returns a scalar's text as written; undefined for containers. */
export function writtenText(tree: Tree): string | undefined {
  if (tree.kind === "string") return tree.text;
  if (tree.kind === "number") return tree.written ?? tree.raw;
  return tree.kind === "literal" ? (tree.written ?? String(tree.value)) : undefined;
}

/** Fits a scalar to one of the types `string`, `number`, `integer`, `boolean` and `null`. */
export function alignScalar(aligner: Aligner, fit: Fit, type: string): Alignment {
  const text = writtenText(fit.tree);
  if (text === undefined) return alignParts(aligner, fit, type);
  if (type === "string") return alignText(aligner, fit, text);
  if (type === "boolean") return alignBoolean(fit, text);
  if (type === "null") return alignNull(fit, text);
  if (fit.tree.kind === "literal") return unfit(fit, "mismatch");
  return alignNumber(aligner, fit, text);
}

/** Fits a date in parts, `{"year": 2025, "month": 3, …}`. */
function alignParts(aligner: Aligner, fit: Fit, type: string): Alignment {
  const { tree, schema } = fit;
  const isDate = tree.kind === "object" && type === "string" && schema["format"] === "date";
  const date = isDate ? dateOfParts(tree.entries) : undefined;
  return date !== undefined && satisfies(aligner, date, schema)
    ? fitted(fit, date, "parts_to_date", 3)
    : unfit(fit, "mismatch");
}

/** Fits a text. Numbers keep their written digits; formats are repaired only where unambiguous, lengths never. */
function alignText(aligner: Aligner, fit: Fit, text: string): Alignment {
  if (fit.tree.kind === "literal" && fit.tree.value === null) return unfit(fit, "missing");
  const format = fit.schema["format"];
  const forms: { value: string; step: string; cost: number }[] = [];
  if (format === "date" || format === "date-time") spend(aligner.work, WORK.date);
  if (fit.tree.kind !== "string")
    forms.push({ value: text, step: "value_to_text", cost: fit.tree.kind === "literal" ? 4 : 2 });
  if (format === "date")
    forms.push(
      ...datesOf(bared(text), statedOrder(fit.schema)).map((value) => ({
        value,
        step: "text_to_date",
        cost: 2,
      })),
    );
  if (format === "date-time")
    forms.push(...dateTimesOf(bared(text)).map((value) => ({ value, step: "text_to_date", cost: 2 })));
  if (format !== undefined || "pattern" in fit.schema)
    forms.push({ value: text.trim(), step: "blanks_removed", cost: 1 });
  const fitting = forms.filter((form) => satisfies(aligner, form.value, fit.schema));
  const [first] = fitting;
  if (first === undefined) return unfit(fit, forms.length > 1 ? "ambiguous" : "mismatch");
  if (new Set(fitting.map((form) => form.value)).size > 1)
    return {
      ...unfit(fit, "ambiguous"),
      candidates: fitting.map((form) => form.value),
    };
  return fitted(fit, first.value, first.step, first.cost);
}

/** Day or month order stated by the contract, such as `DD/MM/YYYY`. */
function statedOrder({ title, description }: Fit["schema"]): "day" | "month" | undefined {
  const said = `${typeof title === "string" ? title : ""} ${typeof description === "string" ? description : ""}`;
  const [isDay, isMonth] = [/\bDD?[-/. ]MM?\b/i.test(said), /\bMM?[-/. ]DD?\b/i.test(said)];
  return isDay === isMonth ? undefined : isDay ? "day" : "month";
}

const YES: readonly string[] =
  "true yes on 1 y t ja oui si sí sim да так 是 はい wahr vrai verdadero verdadeiro vero sant".split(" ");
const NO: readonly string[] =
  "false no off 0 n f nein nej nei non não нет ні 否 いいえ falsch faux falso usant".split(" ");
const WORD_CHARS_MAX = 10;

function alignBoolean(fit: Fit, text: string): Alignment {
  const bare = text.trimEnd().endsWith("?") ? text : bared(text);
  // Long texts match no word, so they are not lower-cased.
  const word = bare.length > WORD_CHARS_MAX ? "" : bare.toLowerCase();
  if (YES.includes(word)) return fitted(fit, true, "word_to_boolean", 2);
  if (NO.includes(word)) return fitted(fit, false, "word_to_boolean", 2);
  return unfit(fit, "mismatch");
}

const NOTHING =
  /^(?:|null|none|nil|undefined|nan|unknown|na|n\/a|n\.a\.|-|--|—|–|unspecified|missing|empty|no value|not (?:available|applicable|specified|given|provided|known|set))$/;

/** Longer texts are values. */
const NOTHING_CHARS_MAX = 40;

/** Returns true for a text that means "no value", such as "N/A". */
export function meansNoValue(text: string): boolean {
  if (text.length > NOTHING_CHARS_MAX && text.trim().length > NOTHING_CHARS_MAX) return false;
  return NOTHING.test(
    text
      .trim()
      .replace(/^[<([]+|[>)\]]+$/g, "")
      .toLowerCase(),
  );
}

function alignNull(fit: Fit, text: string): Alignment {
  // An empty text may be intended: it makes a member absent, never null.
  const isNull = fit.tree.kind === "string" && text.trim() !== "" && meansNoValue(text);
  const value: JsonValue = null;
  return isNull ? fitted(fit, value, "word_to_null", 3) : unfit(fit, "mismatch");
}
