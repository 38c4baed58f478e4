import { formatTable } from "../../print/format-table.ts";
import { visible } from "../../print/visible.ts";
import { FEATURES } from "./report.ts";
import type { ExaminedModel, FeatureState, Spending } from "./report.ts";

const STATES: Readonly<Record<FeatureState, string>> = {
  yes: "yes",
  refused: "refused",
  unread: "taken, without effect",
  failed: "failed",
  not_asked: "not asked",
};

/** Renders what was found: a column for each model, then problems, settings and the cost. Pure. */
export function formatReports(found: {
  readonly endpoint: string;
  readonly rehearsal: boolean;
  readonly can_run: boolean;
  readonly models: readonly ExaminedModel[];
  readonly spent: Spending;
}): string {
  const { models, spent } = found;
  const rows = [
    ["answers by", ...models.map(({ report }) => report.answersBy ?? "nothing")],
    ...FEATURES.map((feature) => [feature, ...models.map(({ report }) => STATES[report.features[feature]])]),
    ["reasoning, tokens", ...models.map(({ report }) => String(report.reasoningTokens ?? "none seen"))],
    ["time p50 / p95", ...models.map(({ report }) => timesOf(report.latency))],
  ];
  const heads = ["", ...models.map(({ tiers, report }) => `${report.model} (${tiers.join(", ")})`)];
  const problems = models.flatMap(({ report: { model, problem } }) =>
    problem === null ? [] : [`${model}: ${problem.message} ${problem.remedy} (${problem.code})`],
  );
  const settings = models.flatMap(({ advice }) => advice).map(({ setting, why }) => `${setting}  # ${why}`);
  return [
    `endpoint ${found.endpoint}${found.rehearsal ? ", the rehearsal: stand-ins answer, and no model" : ""}`,
    "",
    formatTable(heads, rows),
    ...section("Problems", problems),
    ...section("Settings to use", settings),
    "",
    `${spent.calls} calls in ${spent.seconds.toFixed(1)} s, ${spent.cost.toFixed(4)} of ${spent.costMax} USD`,
    found.can_run ? "Teams can run." : "Teams cannot run.",
  ]
    .map((line) => line.split("\n").map(visible).join("\n"))
    .join("\n");
}

function timesOf(latency: ExaminedModel["report"]["latency"]): string {
  if (latency === null) return "not measured";
  return `${Math.round(latency.p50)} / ${Math.round(latency.p95)} ms of ${latency.calls} calls`;
}

function section(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${head}:`, ...lines.map((line) => `  ${line}`)];
}
