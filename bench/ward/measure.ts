import { Redis } from "ioredis";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { startAgents } from "#shared/runtime/process";
import { RecipeStore } from "#shared/store/cases";
import { createLogger } from "#shared/telemetry";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import { countRedisWork } from "../redis-cost.ts";
import {
  AGENT_DEFAULTS,
  createAbsentModel,
  createTeamKeyring,
  openBenchStore,
  submitRun,
} from "../suture-system.ts";
import { brokenOrder, shop } from "./broken-orders.ts";
import { openStrongModel } from "./strong-model.ts";

export const WARD_SETTINGS = {
  /** Messages of one fingerprint in each wave. */
  messages: 10_000,
  waves: 2,
};

export type WardSettings = Readonly<typeof WARD_SETTINGS>;

export const QUICK_WARD_SETTINGS: WardSettings = { messages: 2000, waves: 2 };

/** One wave: so many messages lie in the ward, then a surgeon begins. */
export interface WaveFigures {
  readonly messages: number;
  readonly seconds: number;
  /** Of that, until the first one left: in the first wave, the model thinks. */
  readonly seconds_to_first: number;
  readonly messages_per_second: number;
  readonly model_calls: number;
  readonly scripts_per_message: number;
  readonly commands_per_message: number;
  readonly node_cpu_ms_per_message: number;
  readonly redis_cpu_ms_per_message: number;
}

export interface WardReport {
  readonly settings: WardSettings;
  readonly waves: readonly WaveFigures[];
  /** Of all messages of all waves, after agents have taken what left the ward. */
  readonly runs_completed: number;
  readonly runs_submitted: number;
  readonly recipes: number;
  readonly cost_usd: number;
}

const POLL_MS = 20;
const SUBMITTED_AT_ONCE = 200;

type Bench = ReturnType<typeof openBench>;

function openBench(url: string) {
  return {
    store: openBenchStore({ url, prefix: "bench" }),
    keyring: createTeamKeyring(shop, ["gateway", "surgeon"]),
    logger: createLogger({ service: "bench", level: "error" }),
    team: shop,
  };
}

/** Has messages of one fault die in waves, and a surgeon with the default settings heal each wave. */
export async function measureWard(
  settings: WardSettings,
  run: { readonly url: string; readonly say: (line: string) => void },
): Promise<WardReport> {
  const bench = openBench(run.url);
  const redis = new Redis(run.url);
  const model = await openStrongModel();
  try {
    const waves: WaveFigures[] = [];
    for (let wave = 0; wave < settings.waves; wave += 1) {
      run.say(`ward: wave ${wave + 1}, ${settings.messages} messages die`);
      await letDie(bench, { from: wave * settings.messages, count: settings.messages });
      run.say(`ward: wave ${wave + 1}, a surgeon begins`);
      waves.push(await heal(bench, { redis, model, messages: settings.messages }));
    }
    run.say("ward: agents take what left");
    await work(bench, async () => (await bench.store.runs.counts()).running === 0);
    const { submitted, completed } = await bench.store.runs.counts();
    const groups = await bench.store.cases.groups.list({ offset: 0, limit: 10 });
    return {
      settings,
      waves,
      runs_submitted: submitted,
      runs_completed: completed,
      recipes: (await new RecipeStore(bench.store, null).list()).length,
      cost_usd: groups.reduce((sum, { cost }) => sum + cost, 0),
    };
  } finally {
    redis.disconnect();
    await model.close();
    await bench.store.close();
  }
}

/** Submits broken orders and lets the agent refuse them; resolves when all lie in the ward. */
async function letDie(
  bench: Bench,
  messages: { readonly from: number; readonly count: number },
): Promise<void> {
  for (let n = 0; n < messages.count; n += SUBMITTED_AT_ONCE) {
    const some = Array.from({ length: Math.min(SUBMITTED_AT_ONCE, messages.count - n) }, (_, i) => n + i);
    await Promise.all(
      some.map((i) => submitRun(bench, { payload: brokenOrder(messages.from + i), ttlMs: null })),
    );
  }
  await work(bench, async () => (await bench.store.cases.counts()).admitted === messages.count);
}

/** Agents at work until `isOver`. */
async function work({ store, keyring, logger }: Bench, isOver: () => Promise<boolean>): Promise<void> {
  const agents = await startAgents({
    ...AGENT_DEFAULTS,
    teams: [shop],
    store,
    keyring,
    model: createAbsentModel(),
    logger,
    concurrency: 32,
  });
  await until(isOver);
  await agents.stop(1000);
}

async function until(isOver: () => Promise<boolean>): Promise<void> {
  while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function heal(
  { store, keyring, logger }: Bench,
  on: {
    readonly redis: Redis;
    readonly model: Awaited<ReturnType<typeof openStrongModel>>;
    readonly messages: number;
  },
): Promise<WaveFigures> {
  const model = createModelClient({
    baseUrl: on.model.url,
    apiKey: "none",
    models: { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" },
    timeoutMs: 60_000,
  });
  const before = await store.cases.counts();
  const callsBefore = on.model.calls();
  const stopCounting = await countRedisWork(on.redis);
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const surgeon = startSurgeon({
    store,
    keyring,
    teams: [shop],
    model,
    prices: PRICES_DEFAULT,
    logger,
    limits: SURGERY_LIMITS_DEFAULT,
  });
  const left = async (): Promise<number> => (await store.cases.counts()).discharged - before.discharged;
  await until(async () => (await left()) > 0);
  const firstMs = performance.now() - startedMs;
  await until(async () => (await left()) >= on.messages);
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const cost = await stopCounting();
  await surgeon.stop(1000);
  model.close();
  return {
    messages: on.messages,
    seconds,
    seconds_to_first: firstMs / 1000,
    messages_per_second: on.messages / seconds,
    model_calls: on.model.calls() - callsBefore,
    scripts_per_message: cost.scripts / on.messages,
    commands_per_message: cost.commands / on.messages,
    node_cpu_ms_per_message: (user + system) / 1000 / on.messages,
    redis_cpu_ms_per_message: cost.cpuMs / on.messages,
  };
}
