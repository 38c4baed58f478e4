import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess } from "../../../infra/lock-folder.mjs";
import { readState } from "../../../infra/redis/private-redis-state.ts";
import { chooseFreePort } from "../../../infra/redis/redis-process.ts";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { Config, ConfigOverrides } from "#shared/config";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { waitUntilReady } from "#shared/store";
import { issueKeys } from "../launcher/key-files.ts";
import { prepare } from "../launcher/prepare.ts";
import { agentNames, agentsSpec, serviceSpec } from "../launcher/process-table.ts";
import { endLeftRedis, isSet, openStore, separateSettings } from "../launcher/separate-system.ts";
import { Supervisor } from "../launcher/supervisor.ts";
import { waitForHttp, waitUntil } from "../launcher/wait-until-ready.ts";
import { writeError as say } from "../print/print-answer.ts";

const READY_WITHIN_MS = 120_000;

interface EvalSystemOptions {
  /** The team that is measured. */
  readonly name: string;
  /** It and its variants. */
  readonly teams: readonly Team[];
  /** Of the rehearsal's faults. Default: the configured one. */
  readonly seed: number | undefined;
  /** Aborting it gives up the start. */
  readonly signal: AbortSignal;
}

/** The running system of a measurement: a Redis, the bundled server, the agents of all contenders. */
export type EvalSystem = Awaited<ReturnType<typeof openEvalSystem>>;

/**
 * Starts a separate system below the data folder, with side effects in the bundled sandbox alone. In rehearsal no
 * answer is damaged unless SUTURE_REHEARSAL_FAULT_RATE says so.
 * @throws {ServiceFailedError | ConfigError | RedisMissingError | RedisStartError}
 */
export async function openEvalSystem(options: EvalSystemOptions) {
  const { teams, signal } = options;
  const overrides = await overridesFor(options);
  const prepared = await prepare({ overrides, say, signal });
  // The configured edge keys do not cover the variants.
  const config: Config = { ...prepared.deployment.config, edgeKeysFile: null };
  const deployment = { ...prepared.deployment, teams, config };
  const supervisor = new Supervisor({ say });
  const store = openStore(config, prepared.redisUrlOf("gateway"));
  const system = {
    config,
    store,
    /** Seals first messages as the gateway does. */
    keyring: issueKeys({ dataDir: config.dataDir, edges: edgesOf(teams), agents: ["gateway"] }),
    /** Rejects when a process keeps dying. Never resolves. */
    failed: supervisor.failed,
    /** Ends all processes at once. */
    kill: () => supervisor.kill(),
    /** Stops everything and deletes its data. */
    async [Symbol.asyncDispose]() {
      await store.close();
      await supervisor.stop([(name) => name === "agents"], config.stopGraceMs);
      await prepared.privateRedis?.stop();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
  try {
    const isGivenUp = AbortSignal.any([signal, supervisor.givenUp]);
    const rehearsal = serviceSpec(deployment, "rehearsal");
    supervisor.start(rehearsal);
    const sandbox = `http://127.0.0.1:${config.rehearsalPort}`;
    await waitForHttp({ spec: rehearsal, signal: isGivenUp }, `${sandbox}/healthz`);
    const agents = agentsSpec(deployment, "agents", agentNames(deployment));
    supervisor.start(agents);
    await waitUntilReady(store.redis, READY_WITHIN_MS);
    await waitUntil({ spec: agents, signal: isGivenUp }, async () => {
      const live = new Set((await store.registry.live()).map(({ agent }) => agent));
      return agents.agents.every((name) => live.has(name));
    });
    return system;
  } catch (error) {
    await system[Symbol.asyncDispose]();
    throw error;
  }
}

async function overridesFor({ name, seed }: EvalSystemOptions): Promise<ConfigOverrides> {
  const config = loadConfig();
  const folder = join(config.dataDir, "eval");
  await clearLeftovers(folder);
  const port = await chooseFreePort(null);
  const place = randomHex(6);
  const dataDir = join(folder, place);
  const faultRate = isSet("SUTURE_REHEARSAL_FAULT_RATE") ? {} : { SUTURE_REHEARSAL_FAULT_RATE: "0" };
  return {
    ...separateSettings(config, { dataDir, prefix: `eval-${place}`, seed }),
    ...(config.isRehearsal ? faultRate : {}),
    SUTURE_REHEARSAL_PORT: String(port),
    SUTURE_SANDBOX_URL: `http://127.0.0.1:${port}`,
    SUTURE_VARIANTS_OF: name,
  };
}

/** Removes the folders and the Redis of killed measurements. Those of living commands are left alone. */
async function clearLeftovers(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const dataDir = join(folder, name);
    const state = readState(join(dataDir, "redis"));
    // Without a state it may be one that is just being started.
    if (state === null || isSameProcess(state.owner)) continue;
    await endLeftRedis(dataDir, say);
    rmSync(dataDir, { recursive: true, force: true });
    say("Took away what a measurement that was killed had left behind.");
  }
}
