import type { JsonSchema } from "#shared/json";
import { asSchema } from "#shared/schema";
import { wordsOf } from "./match-words.ts";
import { unitOfName } from "./units.ts";

/** What a name says about its value besides what it names: a unit, that it is a yes or no, that it is a date. */
export type StemKind = "unit" | "boolean" | "date";

const QUESTIONS = /^(?:is|are|has|have|was|were)$/;
const DATES = /^(?:at|on|date|day|time|datetime|timestamp)$/;

/**
 * Returns a property's name without the words that only repeat its type, as one folded word: `weight_kg` is `weight`,
 * `is_valid` a boolean `valid`, `created_at` a date `created`. Undefined for none.
 */
export function stemOfProperty(
  property: string,
  schema: unknown,
): { readonly stem: string; readonly kind: StemKind } | undefined {
  const declared = asSchema(schema) ?? {};
  const words = wordsOf(property);
  if (unitOfName(property) !== undefined && words.length > 1)
    return { stem: words.slice(0, -1).join(""), kind: "unit" };
  const kind = kindOf(declared);
  const stem = kind === undefined ? "" : stemOf(words, kind);
  return kind === undefined || stem === "" ? undefined : { stem, kind };
}

/** The stem of a name in a text, read as a name of a value of some kind. */
export function stemOf(words: readonly string[], kind: StemKind): string {
  if (kind === "unit") return words.join("");
  if (kind === "boolean") return words.slice(QUESTIONS.test(words[0] ?? "") ? 1 : 0).join("");
  return words.filter((word, at) => !DATES.test(word) || (at > 0 && at < words.length - 1)).join("");
}

function kindOf({ type, format }: JsonSchema): StemKind | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes("boolean")) return "boolean";
  return format === "date" || format === "date-time" ? "date" : undefined;
}
