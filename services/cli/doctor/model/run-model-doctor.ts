import { now } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { modelSettings } from "#shared/model";
import type { ModelTier } from "#shared/model";
import { createProbe } from "#shared/model/probe";
import { EXIT } from "../../end-with.ts";
import { printJson, write } from "../../print/print-answer.ts";
import { advise, TIERS } from "./advise.ts";
import { examineModel } from "./examine-model.ts";
import type { Ask } from "./examine-model.ts";
import { formatReports } from "./format-reports.ts";
import type { ExaminedModel, Spending } from "./report.ts";

export interface ModelDoctorOptions {
  readonly json?: boolean;
  /** USD that all calls together may cost at most. */
  readonly costMax: number;
  /** Seconds after which no further call is made. */
  readonly seconds: number;
}

/**
 * Asks the configured endpoint what each tier's model can, and prints it with the settings to use. No key is printed.
 *
 * @returns The exit code: 1 if a model gives no answer that a team could use.
 */
export async function runModelDoctor(options: ModelDoctorOptions): Promise<number> {
  const config = loadConfig();
  const meter = openMeter(config, options);
  const models: ExaminedModel[] = [];
  for (const model of new Set(TIERS.map((tier) => modelOf(config, tier)))) {
    const tiers = TIERS.filter((tier) => modelOf(config, tier) === model);
    const effort = tiers.map((tier) => config.modelRoom.reasoning[tier].effort).find((one) => one !== null);
    const report = await examineModel(model, { ask: meter.askOf(model), effort: effort ?? "low" });
    models.push({ tiers, report, advice: tiers.flatMap((tier) => advise(tier, report, config)) });
  }
  const canRun = models.every(({ report }) => report.answersBy !== null);
  const { baseUrl } = modelSettings(config);
  const found = {
    endpoint: baseUrl,
    rehearsal: config.isRehearsal,
    can_run: canRun,
    models,
    spent: meter.spent(),
  };
  if (options.json === true) printJson(found);
  else write(formatReports(found));
  return canRun ? EXIT.done : EXIT.failed;
}

function modelOf(config: Config, tier: ModelTier): string {
  return modelSettings(config).models[tier];
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
      const reply = await probe.send(request, {
        model,
        timeoutMs: Math.max(1, Math.min(leftMs, config.modelTimeoutMs)),
        streams,
      });
      cost += reply.cost;
      return reply;
    };
  const spent = (): Spending => ({ calls, cost, costMax, seconds: (now() - startedMs) / 1000 });
  return { askOf, spent };
}
