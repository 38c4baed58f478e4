import { withoutParticulars } from "#shared/failure";
import { canonical, isObject, leavesOf } from "#shared/schema";
import type { ContractLiterals, JsonValue } from "#shared/schema";

/** Values of a job's data that are looked for in its error. */
const VALUES_MAX = 500;
/** Longer ones are rarely quoted whole. */
const CHARS_MAX = 500;
const DEPTH_MAX = 64;
/** What `withoutParticulars` leaves of them; several in a row count as one. */
const PARTICULARS = /<(?:text|address|id|n)>(?:[\s,;:]*<(?:text|address|id|n)>)*/g;

/**
 * Returns a job's error with `<value>` for its particulars: the texts of its own data, ids, numbers and quoted text.
 * Names and listed values of the contract, and names of the data's members, stay, because they say what is wrong.
 */
export function describeReason(
  reason: string,
  data: JsonValue | undefined,
  words: ContractLiterals | null,
): string {
  return withoutParticulars(withoutValues(reason, data, words)).replaceAll(PARTICULARS, "<value>");
}

function withoutValues(reason: string, data: JsonValue | undefined, words: ContractLiterals | null): string {
  if (data === undefined) return reason;
  const names = new Set([...(words?.names ?? []), ...namesIn(data, 0)].map((name) => name.toLowerCase()));
  const values = leavesOf(data)
    .map(({ value }) => value)
    .filter((value) => typeof value === "string")
    .slice(0, VALUES_MAX)
    .map((value) => value.trim())
    .filter((value) => value !== "" && value.length <= CHARS_MAX)
    .filter((value) => !names.has(value.toLowerCase()) && words?.listed.has(canonical(value)) !== true)
    .toSorted((a, b) => b.length - a.length);
  if (values.length === 0) return reason;
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${values.map(toPattern).join("|")})(?![\\p{L}\\p{N}_])`,
    "giu",
  );
  return reason.replaceAll(found, "<text>");
}

function toPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function namesIn(value: JsonValue, depth: number): readonly string[] {
  if (depth > DEPTH_MAX || typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap((one) => namesIn(one, depth + 1));
  return isObject(value) ? [...Object.keys(value), ...inner] : inner;
}
