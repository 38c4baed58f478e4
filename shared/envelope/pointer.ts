import type { z } from "zod";
import type { Issue } from "#shared/errors";

/** Maximum length of a key in a path: keys are untrusted, and an error must not carry a payload. */
const STEP_CHARS_MAX = 128;

/** Maximum issues per error. */
const ISSUES_MAX = 50;

/** A key of an object or an index of an array as one step of a JSON pointer (RFC 6901). */
export function pointerStep(key: PropertyKey): string {
  const text = String(key);
  const cut = text.length > STEP_CHARS_MAX ? `${text.slice(0, STEP_CHARS_MAX)}…` : text;
  return `/${cut.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Converts zod issues to ours: code, path and zod's text, which names types and patterns but no values. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.slice(0, ISSUES_MAX).map((issue) => {
    const unknownKey = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    const path = [...issue.path, ...unknownKey].map(pointerStep).join("");
    return unknownKey.length > 0
      ? { path, code: "unknown_field", message: "this field is not part of the envelope" }
      : { path, code: issue.code, message: issue.message };
  });
}
