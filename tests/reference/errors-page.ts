import { FAILURE_CLASSES } from "#shared/errors";
import { code, pageHead, table } from "./markdown.ts";
import { readErrors } from "./read-errors.ts";
import type { DeclaredError } from "./read-errors.ts";
import { statusOfClass } from "./http-status.ts";

/** Renders every error code: class, HTTP status, text, what happened and what to do. */
export function errorsPage(): string {
  const byFolder = Map.groupBy(readErrors(), ({ path }) => path.replace(/\/[^/]+$/, ""));
  const sections = [...byFolder]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([folder, errors]) => `## ${folder}\n\n${errorTable(errors)}`);
  return [
    pageHead(
      "Errors",
      "Every error that Suture throws on purpose, by its stable code. Gateway and console write the code in lower case; a retired code " +
        "is never used again. The class decides what happens to a delivery: [failure classes](failure-classes.md). `…` stands for a " +
        "value that is known only when it is thrown. The status is that of an HTTP answer with this error; 500 hides the text.",
    ),
    ...sections,
  ].join("\n");
}

function errorTable(errors: readonly DeclaredError[]): string {
  const rows = errors
    .toSorted((a, b) => a.code.localeCompare(b.code))
    .map((error) => [
      code(error.code),
      error.failureClass,
      error.status ?? statusOf(error.failureClass),
      error.message,
      error.doc,
      error.remedy,
      code(error.path.replace(/^.*\//, "")),
    ]);
  return table(["code", "class", "status", "text", "what happened", "what to do", "declared in"], rows);
}

function statusOf(failureClass: string): string {
  const known = FAILURE_CLASSES.find((one) => one === failureClass);
  return known === undefined ? "" : String(statusOfClass(known));
}
