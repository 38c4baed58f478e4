import type { PairedDifference } from "../statistics/paired-shares.ts";
import type { Share } from "../statistics/share.ts";
import { heading, list, paragraph, table } from "./blocks.ts";
import type { Block } from "./blocks.ts";
import type { Comparison } from "./compare.ts";
import type { Measured, Mistake } from "./measured.ts";
import type { EvalSummary } from "./summarise.ts";

const MISTAKES_SHOWN = 8;
const NO_DIFFERENCE = "no difference seen";

/** Tells a person what one team's measurement came to. */
export function describeSummary(summary: EvalSummary): Block[] {
  const { contenders, comparisons, stopped, trials, cached, judge } = summary;
  const measured = contenders.filter(({ accuracy }) => accuracy.of > 0);
  const compared = comparisons.filter(({ accuracy }) => accuracy.cases > 0);
  return [
    heading(2, summary.team),
    paragraph(headline(summary)),
    ...(stopped === null
      ? []
      : [paragraph(`STOPPED (${stopped}): ${trials.done} of ${trials.planned} runs were made.`)]),
    ...overview(measured),
    ...(cached === null ? [] : [paragraph(cacheWords(cached))]),
    ...measured.flatMap(detail),
    ...(compared.length === 0
      ? []
      : [heading(3, "Compared on the same cases, in the same run"), ...comparisonTable(compared)]),
    ...(judge === null ? [] : describeJudge(judge)),
    ...(summary.rehearsal ? [paragraph(REHEARSAL)] : []),
  ];
}

/** Said before the runs and behind the figures. */
export const REHEARSAL =
  "REHEARSAL: stand-ins answered, not a model. These figures show that the machinery works; " +
  "the accuracy means nothing about a model. Set OPENAI_API_KEY or OPENAI_BASE_URL to measure one.";

function headline({ team, rehearsal, seed, models, cases, trials }: EvalSummary): string {
  const who = rehearsal ? `the rehearsal (seed ${seed})` : `${models.router}, ${models.worker}`;
  return `Measured ${team}: ${cases} labelled cases, ${trials.done} runs, answered by ${who}. Intervals are of 95 %.`;
}

function cacheWords({ answers, hits, saved }: NonNullable<EvalSummary["cached"]>): string {
  const words = `${hits} of ${answers} answers came from the cache, so that ${saved.toFixed(4)} USD of the cost were not paid.`;
  return hits === 0 ? words : `${words} Their latency is not the model's.`;
}

function overview(measured: readonly Measured[]): Block[] {
  const heads = [
    "variant",
    "cases",
    "right",
    "cannot tell",
    "wrong",
    "failed",
    "accuracy",
    "interval",
    "USD a case",
    "tokens",
    "calls",
    "p50 ms",
    "p95 ms",
    "p99 ms",
  ];
  const rows = measured.map(({ name, accuracy, verdicts, cost, tokens, calls, latency_ms }) => [
    name,
    String(accuracy.of),
    ...verdictCells(verdicts),
    percent(accuracy.share),
    interval(accuracy),
    cost.mean.toFixed(6),
    tokens.mean.toFixed(0),
    calls.mean.toFixed(2),
    ...[latency_ms?.p50, latency_ms?.p95, latency_ms?.p99].map((ms) => (ms === undefined ? "" : String(ms))),
  ]);
  return table(heads, rows);
}

function verdictCells({ right, unsure, wrong, failed }: Measured["verdicts"]): string[] {
  return [right, unsure, wrong, failed].map(String);
}

function detail(measured: Measured): Block[] {
  const { name, description, fields, failures, wrong } = measured;
  const rows = fields.map((field) => [
    field.pointer,
    `${field.right} of ${field.of}`,
    percent(field.share),
    interval(field),
  ]);
  return [
    heading(3, `${name}: ${description}`),
    ...table(["field", "right", "accuracy", "interval"], rows),
    ...list([
      ...failures.map(
        (one) => `failed: ${one.count} of class ${one.class}${one.code === "" ? "" : ` (${one.code})`}`,
      ),
      ...mistakes(wrong),
    ]),
  ];
}

/** Of runs that gave a result: why others gave none is said above. */
function mistakes(all: readonly Mistake[]): string[] {
  const wrong = all.filter(({ failed }) => !failed);
  const rest = wrong.length - MISTAKES_SHOWN;
  return [
    ...wrong
      .slice(0, MISTAKES_SHOWN)
      .map(
        (one) => `wrong: ${one.case} ${one.pointer} is ${shown(one.given)}, expected ${shown(one.expected)}`,
      ),
    ...(rest > 0 ? [`and ${rest} more; --json names all`] : []),
  ];
}

function comparisonTable(comparisons: readonly Comparison[]): Block[] {
  const rows = comparisons.map(({ first, second, accuracy }) => [
    `${first} against ${second}`,
    String(accuracy.cases),
    accuracyWords(accuracy),
  ]);
  return table(["variants", "cases", "accuracy"], rows);
}

function describeJudge({
  model,
  agreement,
  judged,
  cost,
  failed,
  without_result: without,
}: NonNullable<EvalSummary["judge"]>): Block[] {
  const { right, of } = agreement;
  const words =
    `${model} judged ${judged} results without their labels: ${right} of ${of} verdicts agree with the labels` +
    ` (${percent(agreement.share)}, ${interval(agreement)}).` +
    (without === 0 ? "" : ` ${without} runs gave no result to judge and count as not right.`) +
    ` It cost ${cost.toFixed(4)} USD${failed === 0 ? "" : `; ${failed} results got no verdict`}.`;
  const { table: counts } = agreement;
  const rows = (["right", "wrong"] as const).map((label) => [
    `label: ${label}`,
    ...(["right", "wrong"] as const).map((verdict) => String(counts[label][verdict])),
  ]);
  return [
    heading(3, "A model as the judge"),
    paragraph(words),
    ...table(["", "judge: right", "judge: wrong"], rows),
  ];
}

function accuracyWords({ difference, low, high, p, isSeen }: PairedDifference): string {
  const [by, from, to] = [difference, low, high].map((share) => signed(share * 100, 1));
  const points = `${by} points (${from} to ${to}, p ${p.toFixed(3)})`;
  return isSeen ? points : `${NO_DIFFERENCE}: ${points}`;
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
