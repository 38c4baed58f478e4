import { rmSync } from "node:fs";
import { join } from "node:path";
import { now, randomHex, sleep } from "#shared/clock";
import { loadConfig, Secret } from "#shared/config";
import type { Config, ConfigOverrides } from "#shared/config";
import type { Keyring } from "#shared/envelope";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { Store, storeSettings, waitUntilReady } from "#shared/store";
import { ServiceFailedError } from "../errors.ts";
import { findPort } from "../launcher/find-port.ts";
import { issueKeys } from "../launcher/key-files.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { prepare } from "../launcher/prepare.ts";
import { agentsSpec, rehearsalSpec } from "../launcher/process-table.ts";
import type { ServiceSpec } from "../launcher/service-spec.ts";
import { Supervisor } from "../launcher/supervisor.ts";
import { waitForHttp } from "../launcher/wait-until-ready.ts";

/** Stand-ins answer at once or hang on purpose. */
const REHEARSAL_TIMEOUT_MS = 6000;
const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;
const FORCE_AFTER_GRACE_MS = 3000;

export interface StageOptions {
  /** The team that is measured. */
  readonly name: string;
  /** It and its variants. */
  readonly teams: readonly Team[];
  /** Of the rehearsal's faults. Default: the configured one. */
  readonly seed?: number;
  readonly say: (line: string) => void;
  /** Aborting it gives up the start. */
  readonly signal: AbortSignal;
}

/** Everything that a measurement needs, at work: a Redis, the bundled server, the agents of all contenders. */
export interface Stage {
  readonly config: Config;
  readonly store: Store;
  /** Seals first messages as the gateway does. */
  readonly keyring: Keyring;
  /** Rejects when a process keeps dying. Never resolves. */
  readonly failed: Promise<never>;
  /** Stops everything, and takes its data away. Safe to call twice. */
  close(): Promise<void>;
  /** Ends all processes at once. */
  kill(): void;
}

/**
 * Starts a stage of its own below the data folder. What agents cause outside goes to the bundled sandbox, whatever is
 * configured: a measurement pays nobody. In rehearsal no answer is damaged unless SUTURE_REHEARSAL_FAULT_RATE says so.
 *
 * @throws {ServiceFailedError | ConfigError | RedisMissingError | RedisStartError}
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { teams, say, signal } = options;
  const overrides = await overridesFor(options);
  const prepared = await prepare({ overrides, say, signal });
  const deployment = { ...prepared.deployment, teams, config: withoutKeys(prepared.deployment.config) };
  const { config } = deployment;
  const giveUp = new AbortController();
  const supervisor = new Supervisor({
    say,
    logBytesMax: config.logBytesMax,
    onGiveUp: ({ name, logFile }) =>
      giveUp.abort(new ServiceFailedError({ service: name, problem: "keeps ending", logFile })),
    onChange: () => undefined,
  });
  const store = openStore(config, prepared.redisUrl);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await store.close();
    await supervisor.stop([(name) => name === "agents"], config.stopGraceMs + FORCE_AFTER_GRACE_MS);
    await prepared.privateRedis?.stop();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  const stage: Stage = {
    config,
    store,
    keyring: issueKeys({ dataDir: config.dataDir, edges: edgesOf(teams), agents: ["gateway"] }),
    failed: rejectWhenAborted(giveUp.signal),
    close: () => (closing ??= close()),
    kill: () => supervisor.kill(),
  };
  try {
    const isGivenUp = AbortSignal.any([signal, giveUp.signal]);
    const rehearsal = rehearsalSpec(deployment);
    supervisor.start(rehearsal);
    await waitForHttp(
      { spec: rehearsal, signal: isGivenUp },
      `http://127.0.0.1:${config.rehearsalPort}/healthz`,
    );
    const agents = agentsSpec(
      deployment,
      "agents",
      teams.flatMap((team) => [...team.agents.keys()]),
    );
    supervisor.start(agents);
    await waitUntilReady(store.redis, READY_WITHIN_MS);
    await waitForAgents(store, { spec: agents, signal: isGivenUp });
    return stage;
  } catch (error) {
    await stage.close();
    throw error;
  }
}

async function overridesFor({ name, seed, say }: StageOptions): Promise<ConfigOverrides> {
  const config = loadConfig();
  const folder = join(config.dataDir, "eval");
  await clearLeftovers(folder, say);
  const isUnset = (variable: string): boolean => (process.env[variable] ?? "").trim() === "";
  const wanted = { service: "rehearsal", host: "127.0.0.1", port: 0, variable: "SUTURE_REHEARSAL_PORT" };
  const port = await findPort(wanted, { taken: new Set() });
  const ofRehearsal = {
    ...(isUnset("SUTURE_REHEARSAL_FAULT_RATE") ? { SUTURE_REHEARSAL_FAULT_RATE: "0" } : {}),
    ...(isUnset("SUTURE_MODEL_TIMEOUT_MS") ? { SUTURE_MODEL_TIMEOUT_MS: String(REHEARSAL_TIMEOUT_MS) } : {}),
    ...(seed === undefined ? {} : { SUTURE_REHEARSAL_SEED: String(seed) }),
  };
  const place = randomHex(6);
  return {
    SUTURE_DATA_DIR: join(folder, place),
    SUTURE_REHEARSAL_PORT: String(port),
    SUTURE_SANDBOX_URL: `http://127.0.0.1:${port}`,
    SUTURE_VARIANTS_OF: name,
    ...(config.isRehearsal ? ofRehearsal : {}),
    // A Redis of somebody else keeps what is under other prefixes to itself.
    ...(config.redisUrl === null ? {} : { SUTURE_PREFIX: `eval-${place}` }),
  };
}

/** The keys of a stage are its own: those of a deployment do not know the variants. */
function withoutKeys(config: Config): Config {
  return { ...config, edgeKeysFile: null };
}

function openStore(config: Config, redisUrl: string): Store {
  return new Store({
    ...storeSettings(config, new Secret(redisUrl)),
    role: "producer",
    // A lost connection comes back by itself; what does not is a trial that never ends, and is counted so.
    onError: () => undefined,
    admit: () => Promise.resolve(),
  });
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // Whoever waits for it hears of it; during the start the signal does.
  failed.catch(() => undefined);
  return failed;
}

async function waitForAgents(
  store: Store,
  { spec, signal }: { readonly spec: ServiceSpec; readonly signal: AbortSignal },
): Promise<void> {
  const untilMs = now() + READY_WITHIN_MS;
  for (;;) {
    const live = new Set((await store.registry.live()).map(({ agent }) => agent));
    if (spec.args.every((name) => live.has(name))) return;
    if (now() > untilMs) {
      const problem = `was not ready within ${READY_WITHIN_MS / 1000} seconds`;
      throw new ServiceFailedError({ service: spec.name, problem, logFile: spec.logFile });
    }
    await sleep(LOOK_EVERY_MS, signal);
  }
}
