import { formatTable } from "../../print/format-table.ts";
import type { MeanDifference } from "../statistics/paired-mean.ts";
import type { PairedDifference } from "../statistics/paired-shares.ts";
import type { Share } from "../statistics/share.ts";
import type { Comparison } from "./compare.ts";
import type { Confusion } from "./confusion.ts";
import type { Measured, Mistake } from "./measured.ts";
import type { EvalSummary } from "./summarise.ts";

const MISTAKES_SHOWN = 8;
const NO_DIFFERENCE = "no difference seen";

/** The summary for a person. */
export function printSummary(summary: EvalSummary): string {
  const { contenders, comparisons, stopped, trials } = summary;
  const measured = contenders.filter(({ accuracy }) => accuracy.of > 0);
  const parts = [
    headline(summary),
    ...(stopped === null
      ? []
      : [`STOPPED (${stopped}): ${trials.done} of ${trials.planned} runs were made.`]),
    overview(measured),
    ...measured.map(detail),
    ...(comparisons.some(({ accuracy }) => accuracy.cases > 0)
      ? [`Compared on the same cases, in the same run\n\n${comparisonTable(comparisons)}`]
      : []),
    ...(summary.rehearsal ? [REHEARSAL] : []),
  ];
  return `\n${parts.join("\n\n")}\n`;
}

/** Said before the runs and behind the figures. */
export const REHEARSAL =
  "REHEARSAL: stand-ins answered, not a model. These figures show that the machinery works;\n" +
  "the accuracy means nothing about a model. Set OPENAI_API_KEY or OPENAI_BASE_URL to measure one.";

function headline({ team, rehearsal, seed, models, cases, trials }: EvalSummary): string {
  const who = rehearsal ? `the rehearsal (seed ${seed})` : `${models.router}, ${models.worker}`;
  return `Measured ${team}: ${cases} labelled cases, ${trials.done} runs, answered by ${who}. Intervals are of 95 %.`;
}

function overview(measured: readonly Measured[]): string {
  const heads = [
    "variant",
    "cases",
    "right",
    "accuracy",
    "interval",
    "USD a case",
    "tokens",
    "calls",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "failed",
  ];
  const rows = measured.map(({ name, accuracy, cost, tokens, calls, latency_ms, failures }) => [
    name,
    String(accuracy.of),
    String(accuracy.right),
    percent(accuracy.share),
    interval(accuracy),
    cost.mean.toFixed(6),
    tokens.mean.toFixed(0),
    calls.mean.toFixed(2),
    ...[latency_ms?.p50, latency_ms?.p95, latency_ms?.p99].map((ms) => (ms === undefined ? "" : String(ms))),
    String(failures.reduce((sum, { count }) => sum + count, 0)),
  ]);
  return formatTable(heads, rows);
}

function detail(measured: Measured): string {
  const { name, description, fields, confusions, failures, routing, wrong } = measured;
  const rows = fields.map((field) => [
    `  ${field.pointer}`,
    `${field.right} of ${field.of}`,
    percent(field.share),
    interval(field),
  ]);
  const { own_ms, model_ms } = routing;
  return [
    `${name}: ${description}`,
    formatTable(["  field", "right", "accuracy", "interval"], rows),
    ...(own_ms === null || model_ms === null
      ? []
      : [
          `  routing, ${routing.decisions} decisions: beside the model p50 ${own_ms.p50} ms, p95 ${own_ms.p95} ms; ` +
            `the model p50 ${model_ms.p50} ms, p95 ${model_ms.p95} ms`,
        ]),
    ...confusions.map(confusionTable),
    ...failures.map(
      (one) => `  failed: ${one.count} of class ${one.class}${one.code === "" ? "" : ` (${one.code})`}`,
    ),
    ...mistakes(wrong),
  ].join("\n");
}

function confusionTable({ pointer, values, counts }: Confusion): string {
  const expected = values.filter((value) => counts.some((one) => one.expected === value));
  const rows = expected.map((row) => [
    `    ${row}`,
    ...values.map((column) =>
      String(counts.find((one) => one.expected === row && one.given === column)?.count ?? "."),
    ),
  ]);
  return `  ${pointer}: expected downwards, given across\n${formatTable(["", ...values], rows)}`;
}

/** Of runs that gave a result: why others gave none is said above. */
function mistakes(all: readonly Mistake[]): string[] {
  const wrong = all.filter(({ failed }) => !failed);
  const rest = wrong.length - MISTAKES_SHOWN;
  return [
    ...wrong
      .slice(0, MISTAKES_SHOWN)
      .map(
        (one) =>
          `  wrong: ${one.case} ${one.pointer} is ${shown(one.given)}, expected ${shown(one.expected)}`,
      ),
    ...(rest > 0 ? [`  and ${rest} more; --json names all`] : []),
  ];
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons
    .filter(({ accuracy }) => accuracy.cases > 0)
    .map(({ first, second, accuracy, cost, calls, latency_ms }) => [
      `${first} against ${second}`,
      String(accuracy.cases),
      accuracyWords(accuracy),
      meanWords(cost, 6),
      meanWords(calls, 2),
      meanWords(latency_ms, 0),
    ]);
  return formatTable(["variants", "cases", "accuracy", "USD a case", "calls", "latency ms"], rows);
}

function accuracyWords({ difference, low, high, p, isSeen }: PairedDifference): string {
  const [by, from, to] = [difference, low, high].map((share) => signed(share * 100, 1));
  const points = `${by} points (${from} to ${to}, p ${p.toFixed(3)})`;
  return isSeen ? points : `${NO_DIFFERENCE}: ${points}`;
}

function meanWords({ difference, low, high, isSeen }: MeanDifference, digits: number): string {
  return isSeen
    ? `${signed(difference, digits)} (${signed(low, digits)} to ${signed(high, digits)})`
    : NO_DIFFERENCE;
}

function percent(share: number | null): string {
  return share === null ? "" : `${(share * 100).toFixed(1)} %`;
}

function interval({ low, high }: Share): string {
  return `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %`;
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
