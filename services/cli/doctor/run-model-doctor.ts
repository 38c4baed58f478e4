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
/** Observations of a model. */
type Seen = Awaited<ReturnType<typeof askAll>> & {
  readonly model: string;
  readonly lacks: readonly string[];
};

/** Asks each tier's model; prints lacks and settings, no key. @returns 1 if a model gives no usable answer. */
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
        const problem = "The next question could cost more than is left.";
        if (spent.cost + atMost().cost > costMax) throw new CommandRefusedError(problem, "Raise --cost-max.");
        spent.calls += 1;
      },
    });
    spent.cost += answer.cost;
    return answer;
  };
  const models = [];
  for (const model of new Set(TIERS.map((tier) => client.modelFor(tier)))) {
    const tiers = TIERS.filter((tier) => client.modelFor(tier) === model);
    const answered = await askAll((word) => ask(tiers[0] ?? "worker", word));
    const seen = { model, lacks: lacks.flatMap((one) => (one.model === model ? one.lack : [])), ...answered };
    models.push({ tiers, ...seen, advice: tiers.flatMap((tier) => adviseOn(tier, seen, config)) });
  }
  client.close();
  const { endpoint, rehearsal } = client;
  return { endpoint, rehearsal, can_run: models.every(({ problem }) => problem === null), models, spent };
}

/** Asks one model a few questions; `problem` is why one got no answer that a team could use. */
async function askAll(ask: (word: string) => Promise<ModelAnswer>) {
  const answers: ModelAnswer[] = [];
  let problem: { readonly code: string; readonly message: string; readonly remedy: string } | null = null;
  try {
    for (const word of WORDS) answers.push(await ask(word));
    if (!answers.some(({ text }) => firstAid(text, SCHEMA).ok))
      throw new CommandRefusedError(
        "It answers, and never with the JSON that it was asked for.",
        "Configure another model in SUTURE_MODEL_*.",
      );
  } catch (error) {
    if (error instanceof SutureError) problem = error;
    else if (error instanceof DOMException)
      problem = { code: "NOT_ASKED", message: "The time is over.", remedy: "Raise --seconds." };
    else throw error;
  }
  return {
    reasoning_tokens: Math.max(0, ...answers.map(({ usage }) => usage.reasoning_tokens ?? 0)),
    slowest_ms: answers.length === 0 ? null : Math.max(...answers.map(({ durationMs }) => durationMs)),
    problem: problem && { code: problem.code, message: problem.message, remedy: problem.remedy },
  };
}

/** Returns the settings that what was seen of a tier's model speaks for, each with the reason. */
function adviseOn(
  tier: ModelTier,
  { model, lacks, reasoning_tokens: reasoned, ...seen }: Seen,
  config: Config,
) {
  const prefix = `SUTURE_MODEL_${tier.toUpperCase()}`;
  const { effort, tokens } = config.modelRoom.reasoning[tier];
  const slowestMs = seen.slowest_ms ?? 0;
  const isUnpriced = !config.isRehearsal && !isPriced(model, { ...PRICES_DEFAULT, ...config.modelPrices });
  const advice: { readonly setting: string; readonly why: string }[] = [];
  const add = (isWanted: boolean, setting: string, why: string): void =>
    void (isWanted && advice.push({ setting, why }));
  const isVain = effort !== null && lacks.includes("reasoning_effort");
  add(isVain, `${prefix}_EFFORT=`, "the model takes no effort: each process asks in vain once");
  const short = "the model reasons: a set effort keeps it short, and makes room for it from the first call";
  add(effort === null && reasoned > 0, `${prefix}_EFFORT=low`, short);
  const room = 2 ** Math.ceil(Math.log2(Math.max(1, reasoned * 2)));
  const long = `it reasoned for ${reasoned} tokens about a small question`;
  add(reasoned * 2 > tokens, `${prefix}_REASONING_TOKENS=${room}`, long);
  const timeout = `SUTURE_MODEL_TIMEOUT_MS=${Math.ceil(slowestMs / 1000) * 8000}`;
  const slow = "a small question took more than a quarter of the time limit";
  add(slowestMs > config.modelTimeoutMs / 4, timeout, slow);
  const prices = `SUTURE_MODEL_PRICES={"${model}":{"input":…,"cached":…,"output":…}}`;
  const dear = "its price is not known: it counts as the dearest, and budgets end runs too early";
  add(isUnpriced, prices, dear);
  return advice;
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
