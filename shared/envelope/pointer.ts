import type { z } from "zod";
import type { Issue } from "#shared/errors";
import { pointerStep } from "#shared/json";

/** Maximum issues per error. */
const ISSUES_MAX = 50;

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
