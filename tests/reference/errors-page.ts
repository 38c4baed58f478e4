import { FAILURE_CLASSES, SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import { RETRY_POLICY_DEFAULT, routeFailure } from "#shared/failure";
import type { FailedDelivery, FailureRoute } from "#shared/failure";
import { toProblem } from "#shared/http";
import { code, docOf, pageHead, parseFiles, table, textOf, Visitor } from "./write-page.ts";
import { readErrors } from "./read-errors.ts";
import type { DeclaredError } from "./read-errors.ts";

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

const LAST = RETRY_POLICY_DEFAULT.deliveriesMax;

/** Renders every failure class: what it means, where it goes, and whether it counts as a delivery. */
export function failuresPage(): string {
  const docs = readDocs();
  const rows = FAILURE_CLASSES.map((failureClass) => {
    const meaning = docs.get(failureClass) ?? "";
    if (meaning === "") throw new Error(`shared/errors: ${failureClass} has no comment above it`);
    const first = route(failureClass);
    const last = route(failureClass, { deliveries: LAST });
    return [
      code(failureClass),
      meaning,
      describe(first),
      last.kind === first.kind ? "the same" : describe(last),
      declarable(failureClass, first),
      first.kind === "retry" ? (first.counted ? "yes" : "no") : "",
      String(statusOfClass(failureClass)),
    ];
  });
  return [
    pageHead(
      "Failure classes",
      "What happens to a delivery that failed, by the class of its error. `shared/failure/route-failure.ts` decides it, and nothing " +
        `else. A retryable class that counts goes to the ward (the DLQ) at delivery ${LAST}, unless \`deliveriesMax\` says otherwise; one that does ` +
        "not count is put off until it works or the message expires. Delays are exponential with full jitter.",
    ),
    table(
      ["class", "meaning", "first delivery", `delivery ${LAST}`, "may be declared", "counts", "HTTP status"],
      rows,
    ),
  ].join("\n");
}

function route(failureClass: FailureClass, changes: Partial<FailedDelivery> = {}): FailureRoute {
  return routeFailure({
    failureClass,
    deliveries: 1,
    random: 0.5,
    nowMs: 0,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    requeues: 0,
    retryAfterMs: null,
    onContentError: "ward",
    ...changes,
  });
}

function describe(taken: FailureRoute): string {
  switch (taken.kind) {
    case "retry":
      return "retry queue";
    case "ward":
      return "ward";
    case "reroute":
      return "the sender's fallbacks, then a capable agent, then a person";
    case "quarantine":
      return "quarantine: waits for a person";
    case "end":
      return `the run ends as ${taken.end}`;
    default:
      return taken satisfies never;
  }
}

/** Codes that a contract or a team may declare instead, tried with the router itself. */
function declarable(failureClass: FailureClass, usual: FailureRoute): string {
  const tries: readonly (readonly [string, Partial<FailedDelivery>])[] = [
    ["contract: `onContentError: quarantine`", { onContentError: "quarantine" }],
    ["team: `onLimit: end`", { onLimit: { [failureClass]: "end" } }],
    ["team: `onLimit: quarantine`", { onLimit: { [failureClass]: "quarantine" } }],
  ];
  return tries
    .filter(([, changes]) => describe(route(failureClass, changes)) !== describe(usual))
    .map(([words]) => words)
    .join("; ");
}

/** The comments above the members of `FAILURE_CLASSES`. */
function readDocs(): Map<string, string> {
  const docs = new Map<string, string>();
  for (const source of parseFiles(["shared/errors/*.ts"])) {
    new Visitor({
      ArrayExpression({ elements }) {
        for (const element of elements) {
          const doc = element?.type === "Literal" ? docOf(source, element) : "";
          if (element !== null && doc !== "") docs.set(textOf(source, element).replaceAll('"', ""), doc);
        }
      },
    }).visit(source.program);
  }
  return docs;
}

/** HTTP status with which gateway and console answer an error of a class, where its code says nothing else. */
function statusOfClass(failureClass: FailureClass): number {
  const error = new SutureError({ code: "ANY", failureClass, message: "", remedy: "" });
  return toProblem(error, { traceId: null }).problem.status;
}
