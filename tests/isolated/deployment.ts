import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { FIRST_PAIRS } from "#shared/envelope/keys";
import type { Keyring } from "#shared/envelope/keys";
import { PRICES_DEFAULT } from "#shared/model";
import { orderPause } from "#shared/people";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { Store } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import { unreachableModel } from "#shared/testing";
import { issueKeys, openKeys } from "../../services/cli/launcher/key-files.ts";
import { keyFile } from "../../services/cli/launcher/places.ts";
import { writeSecret } from "../../services/cli/launcher/secret-file.ts";
import { startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import { StruckProcess, WAIT_MS } from "../crash-points/struck-process.ts";
import type { Strike } from "../crash-points/struck-process.ts";
import { openGuardedRedis } from "../support/guarded-redis.ts";
import { processEnv } from "../support/process-env.ts";
// As processes of agents load it.
import yard from "./teams/yard/team.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PREFIX = "iso";

export const AGENTS: readonly string[] = [...yard.agents.keys()];

export interface Load {
  readonly id: string;
  readonly boxes?: unknown;
  readonly way?: string;
}

/** The team of a deployment. */
export interface DeployedTeam {
  readonly team: Team;
  /** Folder that processes load it from. */
  readonly folder: string;
  /** More variables of every process. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
}

const YARD: DeployedTeam = { team: yard, folder: "tests/isolated/teams" };

/** A whole team in the profile `isolated`: every service a process or store of its own user of Redis. */
export async function openIsolatedDeployment(deployed: DeployedTeam = YARD) {
  const { team } = deployed;
  const guarded = await openGuardedRedis({ prefix: PREFIX, teams: deployed.folder, trust: "isolated" });
  const { own, urlOf, users } = guarded;
  const gateway = await startTestGateway({
    store: { url: own.url, prefix: PREFIX },
    team,
    redisUrl: urlOf("gateway"),
    bounds: { bodyBytesMax: 1024 * 1024 },
    generations: FIRST_PAIRS,
  });
  const { system } = gateway;
  const folder = temporaryFolder();
  // As the command issues them, so that what each process has is what is attacked.
  const dataDir = join(folder, "issuer");
  openKeys({ dataDir, trust: "isolated" });
  writeSecret(keyFile.master(dataDir), system.master);
  const edges = edgesOf([team]);
  const ringOf = (agent: string): Keyring => issueKeys({ dataDir, edges, agents: [agent] });
  const processes: StruckProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.end()));
  });
  const spawn = (
    name: "agents" | "relay",
    {
      user,
      ring,
      strike,
      args = [],
      env = {},
    }: SpawnOptions & { readonly user: string; readonly ring: Keyring },
  ): StruckProcess => {
    const keys = join(folder, `${user}.json`);
    writeFileSync(keys, ring.exportJson(), { mode: 0o600 });
    const started = new StruckProcess({
      command: [`services/${name}/main.ts`, ...args],
      env: {
        ...processEnv(),
        REDIS_URL: urlOf(user),
        SUTURE_TRUST: "isolated",
        SUTURE_TEAMS: deployed.folder,
        SUTURE_PREFIX: PREFIX,
        SUTURE_KEYS: `@${keys}`,
        SUTURE_DATA_DIR: folder,
        OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
        OPENAI_API_KEY: "sk-test-0123456789abcdef",
        SUTURE_LOCK_MS: "1500",
        SUTURE_STALLED_INTERVAL_MS: "500",
        SUTURE_RETRY_DELAY_MS: "50",
        LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "silent",
        ...deployed.env,
        ...env,
      },
      strike: strike ?? null,
    });
    processes.push(started);
    return started;
  };
  const spawnRelay = (more: SpawnOptions = {}): StruckProcess =>
    spawn("relay", { user: "relay", ring: ringOf("relay"), ...more });
  const spawnAgent = (agent: string, more: SpawnOptions = {}): StruckProcess =>
    spawn("agents", { user: `agent-${agent}`, ring: ringOf(agent), args: [agent], ...more });

  const surgeonStore = new Store({ ...system.store.options, url: urlOf("surgeon") });
  const model = unreachableModel();
  const surgeon = startSurgeon({
    store: surgeonStore,
    keyring: ringOf("surgeon"),
    teams: [team],
    model,
    prices: PRICES_DEFAULT,
    logger: pino({ level: "silent" }),
    limits: { ...SURGERY_LIMITS_DEFAULT, waitMsMin: 50, jobMissingMs: 500 },
    lockMs: 1500,
    stalledIntervalMs: 300,
    upkeepMs: 200,
  });
  onTestFinished(async () => {
    await surgeon.stop(0);
    await surgeonStore.close();
    model.close();
  });

  /** Starts a run by a handoff to one agent, or by a task for the team where `path` says so. */
  const send = async (
    id: string,
    task: Readonly<Record<string, unknown>>,
    path: "/v1/handoffs" | "/v1/tasks" = "/v1/handoffs",
  ): Promise<string> => {
    const answer = await gateway.post(path, task, { "idempotency-key": id });
    expect(answer.status, await answer.clone().text()).toBe(202);
    return ((await answer.json()) as { run_id: string }).run_id;
  };
  const submit = ({ id, boxes = 3, way = "plain" }: Load): Promise<string> =>
    send(id, {
      target_agent: "dock",
      contract: "yard.load@1",
      data_payload: { id, boxes, way },
      on_invalid: "ward",
    });
  const until = async (runId: string, statuses: readonly RunRecord["status"][] = ENDED_STATUSES) => {
    await expect
      .poll(async () => (await system.store.runs.get(runId)).status, { timeout: WAIT_MS, interval: 20 })
      .toSatisfy((status: RunRecord["status"]) => statuses.includes(status));
    return system.store.runs.get(runId);
  };
  /** A raw connection as one user, past all of our code. */
  const as = (user: string): Redis => {
    const redis = new Redis(urlOf(user));
    redis.on("error", () => undefined);
    onTestFinished(() => redis.disconnect());
    return redis;
  };
  /** What Redis refused, by user and what it was about. */
  const refusedByRedis = async (): Promise<string[]> => {
    const log = (await own.redis.call("ACL", "LOG", "1000")) as string[][];
    return log.map((entry) => `${entry[9] ?? ""} ${entry[3] ?? ""} ${entry[7] ?? ""}`);
  };
  return {
    team,
    own,
    urlOf,
    users,
    gateway,
    system,
    ringOf,
    spawnRelay,
    spawnAgent,
    agents: [...team.agents.keys()],
    send,
    submit,
    until,
    as,
    refusedByRedis,
  };
}

export type IsolatedDeployment = Awaited<ReturnType<typeof openIsolatedDeployment>>;

interface SpawnOptions {
  readonly strike?: Strike;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts every agent and a relay, and waits until all are announced. */
export async function startAll(deployment: IsolatedDeployment, relays = 1): Promise<void> {
  for (let turn = 0; turn < relays; turn += 1) deployment.spawnRelay();
  for (const agent of deployment.agents) deployment.spawnAgent(agent);
  await untilAtWork(deployment);
}

export async function untilAtWork({ system, agents }: IsolatedDeployment): Promise<void> {
  const names = async (): Promise<string[]> =>
    [...new Set((await system.store.registry.live()).map(({ agent }) => agent))].toSorted();
  await expect.poll(names, { timeout: WAIT_MS, interval: 100 }).toEqual(agents.toSorted());
}

/** Pauses or resumes an agent's queue, as a person orders it: agents resume what nobody has signed. */
export async function setPaused(
  { system }: Pick<IsolatedDeployment, "system">,
  agent: string,
  isPaused: boolean,
): Promise<void> {
  await orderPause(system, { agent, is_paused: isPaused, by: "test" });
  const queue = system.store.queues.of(agent, "fresh");
  await (isPaused ? queue.pause() : queue.resume());
}
