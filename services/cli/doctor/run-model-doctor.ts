import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { SutureError } from "#shared/errors";
import { createModelClient, isPriced, modelSettings, PRICES_DEFAULT, PROBE } from "#shared/model";
import type { ModelAnswer, ModelTier } from "#shared/model";
import { firstAid } from "#shared/repair";
import { CommandRefusedError, EXIT } from "../errors.ts";
import { formatTable } from "../print/format-table.ts";
import { printJson, write } from "../print/print-answer.ts";

const TIERS = ["router", "worker", "surgeon"] as const satisfies readonly ModelTier[];
/** The client believes that a part is lacking once a second, different question was refused for it, too. */
const WORDS = ["ready", "steady", "go"];

/** An answer whose names no model gives that was not shown them. */
const SCHEMA = {
  type: "object",
  properties: { verdict_word: { type: "string" }, letter_count: { type: "integer" } },
  required: ["verdict_word", "letter_count"],
  additionalProperties: false,
} as const;
/** Tokens that an answer may have: little, as it is paid for. */
const ANSWER_TOKENS_MAX = 256;

export interface ModelDoctorOptions {
  readonly json?: boolean;
  /** USD that all calls together may cost at most. */
  readonly costMax: number;
  /** Seconds after which no further call is made. */
  readonly seconds: number;
}

type Report = Awaited<ReturnType<typeof examineModels>>;
/** What was seen of a model. */
type Seen = Awaited<ReturnType<typeof askAll>> & {
  readonly model: string;
  readonly lacks: readonly string[];
};

/**
 * Asks each tier's model through the client that teams use, and prints what it lacks, with the settings to use. No key
 * is printed.
 *
 * @returns The exit code: 1 if a model gives no answer that a team could use.
 */
export async function runModelDoctor(options: ModelDoctorOptions): Promise<number> {
  const found = await examineModels(loadConfig(), options);
  if (options.json === true) printJson(found);
  else write(format(found, options));
  return found.can_run ? EXIT.done : EXIT.failed;
}

async function examineModels(config: Config, { costMax, seconds }: ModelDoctorOptions) {
  const lacks: { readonly model: string; readonly lack: string }[] = [];
  const client = createModelClient({ ...modelSettings(config), onLack: (found) => void lacks.push(found) });
  const spent = { calls: 0, cost: 0 };
  const signal = AbortSignal.timeout(seconds * 1000);
  const ask = async (tier: ModelTier, word: string): Promise<ModelAnswer> => {
    const answer = await client.ask({
      ...PROBE,
      tier,
      instructions: "Take the word in the input, and count its letters.",
      input: JSON.stringify({ word }),
      schemaName: "doctor.probe@1",
      jsonSchema: SCHEMA,
      tokensMax: ANSWER_TOKENS_MAX,
      signal,
      onSending: (atMost) => {
        if (spent.cost + atMost().cost > costMax)
          throw new CommandRefusedError(
            "The next question could cost more than is left.",
            "Raise --cost-max.",
          );
        spent.calls += 1;
      },
    });
    spent.cost += answer.cost;
    return answer;
  };
  const models = [];
  for (const model of new Set(TIERS.map((tier) => client.modelFor(tier)))) {
    const tiers = TIERS.filter((tier) => client.modelFor(tier) === model);
    const answered = await askAll(tiers[0] ?? "worker", ask);
    const seen = { model, lacks: lacks.flatMap((one) => (one.model === model ? one.lack : [])), ...answered };
    models.push({ tiers, ...seen, advice: tiers.flatMap((tier) => adviseOn(tier, seen, config)) });
  }
  client.close();
  const { endpoint, rehearsal } = client;
  return { endpoint, rehearsal, can_run: models.every(({ problem }) => problem === null), models, spent };
}

/** Asks one model a few questions; `problem` is why one got no answer that a team could use. */
async function askAll(tier: ModelTier, ask: (tier: ModelTier, word: string) => Promise<ModelAnswer>) {
  const answers: ModelAnswer[] = [];
  let problem: { readonly code: string; readonly message: string; readonly remedy: string } | null = null;
  try {
    for (const word of WORDS) answers.push(await ask(tier, word));
    if (!answers.some(({ text }) => firstAid(text, SCHEMA).ok))
      throw new CommandRefusedError(
        "It answers, and never with the JSON that it was asked for.",
        "Configure another model in SUTURE_MODEL_*.",
      );
  } catch (error) {
    const isOurs = error instanceof SutureError;
    if (!isOurs && !(error instanceof DOMException)) throw error;
    problem = isOurs
      ? { code: error.code, message: error.message, remedy: error.remedy }
      : { code: "NOT_ASKED", message: "The time is over.", remedy: "Raise --seconds." };
  }
  const reasoning = answers.map(({ usage }) => usage.reasoning_tokens ?? 0);
  return {
    reasoning_tokens: Math.max(0, ...reasoning),
    slowest_ms: answers.length === 0 ? null : Math.max(...answers.map(({ durationMs }) => durationMs)),
    problem,
  };
}

/** Returns the settings that what was seen of a tier's model speaks for, each with the reason. */
function adviseOn(tier: ModelTier, seen: Seen, config: Config) {
  const prefix = `SUTURE_MODEL_${tier.toUpperCase()}`;
  const { effort, tokens } = config.modelRoom.reasoning[tier];
  const { model, lacks, reasoning_tokens: reasoned, slowest_ms: slowestMs } = seen;
  const takesEffort = !lacks.includes("reasoning_effort");
  const isUnpriced = !config.isRehearsal && !isPriced(model, { ...PRICES_DEFAULT, ...config.modelPrices });
  const rows: readonly (readonly [isWanted: boolean, setting: string, why: string])[] = [
    [
      effort !== null && !takesEffort,
      `${prefix}_EFFORT=`,
      "the model takes no effort: each process asks in vain once",
    ],
    [
      effort === null && reasoned > 0,
      `${prefix}_EFFORT=low`,
      "the model reasons: a set effort keeps it short, and makes room for it from the first call",
    ],
    [
      reasoned * 2 > tokens,
      `${prefix}_REASONING_TOKENS=${2 ** Math.ceil(Math.log2(Math.max(1, reasoned * 2)))}`,
      `it reasoned for ${reasoned} tokens about a small question`,
    ],
    [
      (slowestMs ?? 0) > config.modelTimeoutMs / 4,
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

/** Renders a row for each model, then problems, settings and the cost. */
function format({ endpoint, rehearsal, can_run, models, spent }: Report, { costMax }: ModelDoctorOptions) {
  const rows = models.map(({ tiers, model, lacks, reasoning_tokens: reasoned, slowest_ms: ms, problem }) => [
    `${model} (${tiers.join(", ")})`,
    problem === null ? "yes" : "no",
    lacks.join(", ") || "nothing",
    String(reasoned),
    ms === null ? "" : String(Math.round(ms)),
  ]);
  const problems = models.flatMap(({ model, problem }) =>
    problem === null ? [] : [`${model}: ${problem.message} ${problem.remedy} (${problem.code})`],
  );
  const settings = models.flatMap(({ advice }) => advice.map(({ setting, why }) => `${setting}  # ${why}`));
  const section = (head: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", `${head}:`, ...lines.map((line) => `  ${line}`)];
  return [
    `endpoint ${endpoint}${rehearsal ? ", the rehearsal: stand-ins answer, and no model" : ""}`,
    "",
    formatTable(["model", "answers", "lacks", "reasoning tokens", "slowest ms"], rows),
    ...section("Problems", problems),
    ...section("Settings to use", settings),
    "",
    `${spent.calls} calls, ${spent.cost.toFixed(4)} of ${costMax} USD`,
    can_run ? "Teams can run." : "Teams cannot run.",
  ].join("\n");
}
