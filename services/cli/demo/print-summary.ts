import { formatTable } from "../print/format-table.ts";
import type { Figures, PlayedSummary } from "./summary.ts";

type Columns = readonly (readonly [head: string, read: (figures: Figures) => number | string])[];

const RUNS: Columns = [
  ...(
    ["submitted", "completed", "cannot_tell", "failed", "expired", "cancelled", "waiting", "lost"] as const
  ).map((name) => [name.replace("_", " "), (one: Figures) => one[name]] as const),
  ["cost", (one) => usd(one.cost)],
];

const CASES: Columns = [
  ["cases", (one) => one.cases],
  ["recipe", ({ repaired }) => repaired.recipe],
  ["first aid", ({ repaired }) => repaired.first_aid],
  ["model", ({ repaired }) => repaired.model],
  ["person", ({ repaired }) => repaired.person],
  ["wait for a person", (one) => one.quarantined],
];

/** The end of the demo, for people. */
export function printSummary(summary: PlayedSummary): string {
  const { invented, payments, seconds, rehearsal, seed, lost, cost } = summary;
  const rows = [...Object.entries(summary.teams), ["all", summary] as const];
  const table = (columns: Columns): string =>
    formatTable(
      ["team", ...columns.map(([head]) => head)],
      rows.map(([team, figures]) => [team, ...columns.map(([, read]) => String(read(figures)))]),
    );
  const paid =
    payments === null
      ? []
      : payments.paid_twice.length === 0
        ? [`The payment system made ${payments.refunds} refunds, each order at most once.`]
        : [`PAID TWICE: orders ${payments.paid_twice.join(", ")}.`];
  return [
    "",
    "SUMMARY",
    table(RUNS),
    "Cannot tell: completed, and the result says that the team has no answer. suture eval measures what is right.",
    "",
    table(CASES),
    "",
    `Of the cases that wait for a person, ${invented} wait because a value would have been invented.`,
    ...paid,
    `Took ${seconds} s, cost ${usd(cost)}${rehearsal ? ` as if a model had answered (REHEARSAL, seed ${seed})` : ""}.`,
    lost === 0 ? "Nothing was lost: every task has ended or waits for a person." : `LOST: ${lost}.`,
  ].join("\n");
}

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
