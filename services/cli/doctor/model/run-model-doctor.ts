import { now } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { isPriced, modelSettings, PRICES_DEFAULT } from "#shared/model";
import type { ModelTier } from "#shared/model";
import { createProbe } from "#shared/model/probe";
import { EXIT } from "../../end-with.ts";
import { formatTable } from "../../print/format-table.ts";
import { printJson, write } from "../../print/print-answer.ts";
import { examineModel, FEATURES } from "./examine-model.ts";
import type { Ask, ModelReport } from "./examine-model.ts";

const TIERS = ["router", "worker", "surgeon"] as const satisfies readonly ModelTier[];

export interface ModelDoctorOptions {
  readonly json?: boolean;
  /** USD that all calls together may cost at most. */
  readonly costMax: number;
  /** Seconds after which no further call is made. */
  readonly seconds: number;
}

/** What is known of a model, and the settings to use in its tiers, each with a reason. */
interface Examined {
  readonly tiers: readonly ModelTier[];
  readonly report: ModelReport;
  readonly advice: readonly { readonly setting: string; readonly why: string }[];
}

/**
 * Asks the configured endpoint what each tier's model can, and prints it with the settings to use. No key is printed.
 *
 * @returns The exit code: 1 if a model gives no answer that a team could use.
 */
export async function runModelDoctor(options: ModelDoctorOptions): Promise<number> {
  const config = loadConfig();
  const { baseUrl, models: modelOf } = modelSettings(config);
  const meter = openMeter(config, options);
  const models: Examined[] = [];
  for (const model of new Set(TIERS.map((tier) => modelOf[tier]))) {
    const tiers = TIERS.filter((tier) => modelOf[tier] === model);
    const effort = tiers.map((tier) => config.modelRoom.reasoning[tier].effort).find((one) => one !== null);
    const report = await examineModel(model, { ask: meter.askOf(model), effort: effort ?? "low" });
    models.push({ tiers, report, advice: tiers.flatMap((tier) => adviseOn(tier, report, config)) });
  }
  const canRun = models.every(({ report }) => report.answersBy !== null);
  const found = {
    endpoint: baseUrl,
    rehearsal: config.isRehearsal,
    can_run: canRun,
    models,
    spent: meter.spent(),
  };
  if (options.json === true) printJson(found);
  else write(format(found));
  return canRun ? EXIT.done : EXIT.failed;
}

/** Sends within the limits of cost and time, and counts. */
function openMeter(config: Config, { costMax, seconds }: ModelDoctorOptions) {
  const { baseUrl, apiKey, prices = {} } = modelSettings(config);
  const probe = createProbe({ baseUrl, apiKey, prices });
  const startedMs = now();
  let calls = 0;
  let cost = 0;
  const askOf =
    (model: string): Ask =>
    async (request, streams = false) => {
      const leftMs = startedMs + seconds * 1000 - now();
      if (leftMs <= 0 || cost + probe.costAtMost(request, model) > costMax) return null;
      calls += 1;
      const timeoutMs = Math.max(1, Math.min(leftMs, config.modelTimeoutMs));
      const reply = await probe.send(request, { model, timeoutMs, streams });
      cost += reply.cost;
      return reply;
    };
  return { askOf, spent: () => ({ calls, cost, costMax, seconds: (now() - startedMs) / 1000 }) };
}

/** Returns the settings that what was seen of a tier's model speaks for. */
function adviseOn(tier: ModelTier, report: ModelReport, config: Config): Examined["advice"] {
  const prefix = `SUTURE_MODEL_${tier.toUpperCase()}`;
  const { effort, tokens } = config.modelRoom.reasoning[tier];
  const { features, slowestMs, model } = report;
  const reasoned = report.reasoningTokens ?? 0;
  const needed = 2 ** Math.ceil(Math.log2(Math.max(1, reasoned * 2)));
  const isUnpriced = !config.isRehearsal && !isPriced(model, { ...PRICES_DEFAULT, ...config.modelPrices });
  const rows: readonly (readonly [isWanted: boolean, setting: string, why: string])[] = [
    [
      effort !== null && features.reasoning_effort === "refused",
      `${prefix}_EFFORT=`,
      "the model takes no effort: each process asks in vain once",
    ],
    [
      effort === null && reasoned > 0 && features.reasoning_effort === "yes",
      `${prefix}_EFFORT=low`,
      "the model reasons: a set effort keeps it short, and makes room for it from the first call",
    ],
    [
      reasoned > 0 && needed > tokens,
      `${prefix}_REASONING_TOKENS=${needed}`,
      `it reasoned for ${reasoned} tokens about a small question`,
    ],
    [
      slowestMs !== null && slowestMs > config.modelTimeoutMs / 4,
      `SUTURE_MODEL_TIMEOUT_MS=${Math.ceil((slowestMs ?? 0) / 1000) * 8000}`,
      "a small question took more than a quarter of the time limit",
    ],
    [
      isUnpriced,
      `SUTURE_MODEL_PRICES={"${model}":{"input":…,"cached":…,"output":…}}`,
      "its price is not known: it counts as the dearest, and budgets end runs too early",
    ],
  ];
  return rows.filter(([isWanted]) => isWanted).map(([, setting, why]) => ({ setting, why }));
}

/** Renders what was found: a column for each model, then problems, settings and the cost. */
function format(found: {
  readonly endpoint: string;
  readonly rehearsal: boolean;
  readonly can_run: boolean;
  readonly models: readonly Examined[];
  readonly spent: ReturnType<ReturnType<typeof openMeter>["spent"]>;
}): string {
  const { models, spent } = found;
  const row = (head: string, read: (report: ModelReport) => string | number | null): string[] => [
    head,
    ...models.map(({ report }) => String(read(report) ?? "none")),
  ];
  const rows = [
    row("answers by", ({ answersBy }) => answersBy),
    ...FEATURES.map((feature) => row(feature, ({ features }) => features[feature].replace("_", " "))),
    row("reasoning, tokens", ({ reasoningTokens }) => reasoningTokens),
    row("slowest answer, ms", ({ slowestMs }) => slowestMs && Math.round(slowestMs)),
  ];
  const heads = ["", ...models.map(({ tiers, report }) => `${report.model} (${tiers.join(", ")})`)];
  const problems = models.flatMap(({ report: { model, problem } }) =>
    problem === null ? [] : [`${model}: ${problem.message} ${problem.remedy} (${problem.code})`],
  );
  const settings = models.flatMap(({ advice }) => advice.map(({ setting, why }) => `${setting}  # ${why}`));
  const section = (head: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", `${head}:`, ...lines.map((line) => `  ${line}`)];
  return [
    `endpoint ${found.endpoint}${found.rehearsal ? ", the rehearsal: stand-ins answer, and no model" : ""}`,
    "",
    formatTable(heads, rows),
    ...section("Problems", problems),
    ...section("Settings to use", settings),
    "",
    `${spent.calls} calls in ${spent.seconds.toFixed(1)} s, ${spent.cost.toFixed(4)} of ${spent.costMax} USD`,
    found.can_run ? "Teams can run." : "Teams cannot run.",
  ].join("\n");
}
