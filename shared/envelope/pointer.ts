import type { z } from "zod";
import type { Issue } from "#shared/errors";
import { pointerStep } from "#shared/json";

/** Issues one error names at most; a broken list would otherwise make as many as it has items. */
const ISSUES_MAX = 50;

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
