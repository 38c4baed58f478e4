import type { Issue } from "#shared/errors";
import { isRecord, pointerStep } from "#shared/json";

export const ISSUES_MAX = 100;
const PATH_STEPS_MAX = 64;
const PATH_CHARACTERS_MAX = 500;
const CODE_CHARACTERS_MAX = 100;
const MESSAGE_CHARACTERS_MAX = 500;
/** Characters of a text that are read. */
const TEXT_CHARACTERS_MAX = 256 * 1024;

/** Reads the issues of a validator's error (zod, Standard Schema); empty for others. May throw for a hostile one. */
export function readIssues(error: object): readonly Issue[] {
  return "issues" in error ? toIssues(error.issues) : [];
}

/** Reads the issues in the message of a zod error, which is their list as JSON. Empty for any other text. */
export function issuesInText(text: string): readonly Issue[] {
  const from = text.indexOf("[");
  if (from === -1 || !text.endsWith("]") || text.length > TEXT_CHARACTERS_MAX) return [];
  try {
    return toIssues(JSON.parse(text.slice(from)));
  } catch {
    return [];
  }
}

/** Bounds an issue's texts. */
export function bounded({ path, code, message }: { readonly [Key in keyof Issue]: unknown }): Issue {
  return {
    path: String(path).slice(0, PATH_CHARACTERS_MAX),
    code: String(code).slice(0, CODE_CHARACTERS_MAX),
    message: String(message).slice(0, MESSAGE_CHARACTERS_MAX),
  };
}

/** A list in which anything is no issue is of something else. */
function toIssues(list: unknown): readonly Issue[] {
  if (!Array.isArray(list)) return [];
  const read = list.slice(0, ISSUES_MAX).map(toIssue);
  return read.some((issues) => issues.length === 0) ? [] : read.flat().slice(0, ISSUES_MAX);
}

function toIssue(raw: unknown): readonly Issue[] {
  if (!isRecord(raw) || typeof raw["message"] !== "string") return [];
  const { message, path: steps = [], code = raw["type"] ?? "invalid", keys } = raw;
  if (!Array.isArray(steps) || typeof code !== "string") return [];
  const path = steps.slice(0, PATH_STEPS_MAX).map(stepOf).join("");
  // As our own contracts name unknown fields.
  if (code === "unrecognized_keys" && Array.isArray(keys) && keys.length > 0)
    return keys
      .slice(0, ISSUES_MAX)
      .map((key) => bounded({ path: path + stepOf(key), code: "unknown_field", message }));
  return [bounded({ path, code, message })];
}

/** A step is a key, or an object with one. */
function stepOf(step: unknown): string {
  const key = isRecord(step) ? step["key"] : step;
  return pointerStep(typeof key === "number" || typeof key === "symbol" ? key : String(key));
}
