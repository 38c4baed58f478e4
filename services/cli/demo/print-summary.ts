import { formatTable } from "../print/format-table.ts";
import type { Figures, Summary } from "./summary.ts";

/** The end of the demo, for people. */
export function printSummary(summary: Summary): string {
  const rows = [...Object.entries(summary.teams), ["all", summary] as const];
  const lines = [
    "",
    "SUMMARY",
    formatTable(
      ["team", "submitted", "completed", "failed", "expired", "cancelled", "waiting", "lost", "cost"],
      rows.map(([team, figures]) => runRow(team, figures)),
    ),
    "",
    formatTable(
      ["team", "completed", "right", "cannot tell", "wrong", "not checked", "with a person", "expired"],
      rows.map(([team, figures]) => answerRow(team, figures)),
    ),
    "Right and wrong are held against the labelled sets; not checked: no label says.",
    "",
    formatTable(
      ["team", "cases", "recipe", "first aid", "model", "person", "wait for a person"],
      rows.map(([team, figures]) => caseRow(team, figures)),
    ),
    "",
    `Of the cases that wait for a person, ${summary.invented} wait because a value would have been invented.`,
    ...(summary.payments === null ? [] : [describePayments(summary.payments)]),
    `Took ${summary.seconds} s, cost ${usd(summary.cost)}${summary.rehearsal ? ` as if a model had answered (REHEARSAL, seed ${summary.seed})` : ""}.`,
    summary.lost === 0
      ? "Nothing was lost: every task has ended or waits for a person."
      : `LOST: ${summary.lost}.`,
  ];
  return `${lines.join("\n")}\n`;
}

function runRow(team: string, figures: Figures): string[] {
  const { submitted, completed, failed, expired, cancelled, waiting, lost } = figures;
  return [
    team,
    ...[submitted, completed, failed, expired, cancelled, waiting, lost].map(String),
    usd(figures.cost),
  ];
}

function answerRow(team: string, { completed, answers, waiting, expired }: Figures): string[] {
  const { right, cannot_tell, wrong, unchecked } = answers;
  return [team, ...[completed, right, cannot_tell, wrong, unchecked, waiting, expired].map(String)];
}

function caseRow(team: string, { cases, repaired, quarantined }: Figures): string[] {
  const { recipe, first_aid, model, person } = repaired;
  return [team, ...[cases, recipe, first_aid, model, person, quarantined].map(String)];
}

function describePayments({ refunds, paid_twice }: NonNullable<Summary["payments"]>): string {
  return paid_twice.length === 0
    ? `The payment system made ${refunds} refunds, each order at most once.`
    : `PAID TWICE: orders ${paid_twice.join(", ")}.`;
}

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
