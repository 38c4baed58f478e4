import type { z } from "zod";
import type { Issue } from "#shared/errors";

/** Keys come from strangers: a long one is cut, so that an error never carries a payload along. */
const STEP_CHARS_MAX = 128;

/** Issues one error names at most; a broken list would otherwise make as many as it has items. */
const ISSUES_MAX = 50;

/** A key of an object or an index of an array as one step of a JSON pointer (RFC 6901). */
export function pointerStep(key: PropertyKey): string {
  const text = String(key);
  const cut = text.length > STEP_CHARS_MAX ? `${text.slice(0, STEP_CHARS_MAX)}…` : text;
  return `/${cut.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Zod's issues as ours: code, place and zod's words, which name types and patterns but no values. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.slice(0, ISSUES_MAX).map((issue) => {
    const unknownKey = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    const path = [...issue.path, ...unknownKey].map(pointerStep).join("");
    return unknownKey.length > 0
      ? { path, code: "unknown_field", message: "this field is not part of the envelope" }
      : { path, code: issue.code, message: issue.message };
  });
}
