import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Team } from "#shared/runtime";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import { auditRuns } from "#shared/store/upkeep";
import { createTestSystem, testRedisUrl, temporaryFolder, serveHttp } from "#shared/testing";
import type { SystemOptions } from "#shared/testing";
import { findCases } from "#shared/ward";
import { startModelEndpoint } from "../support/model-endpoint.ts";
import { StruckProcess, WAIT_MS } from "./struck-process.ts";
import type { Strike } from "./struck-process.ts";
import { processEnv } from "../support/process-env.ts";

interface SpawnOptions {
  readonly strike?: Strike;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of the service, such as the agents that a process works for. Default: none. */
  readonly args?: readonly string[];
}

export type CrashDeployment = Awaited<ReturnType<typeof openCrashDeployment>>;

/** Opens what a crash test needs: a team, its keys, a model, an outside world, and real processes to strike. */
export async function openCrashDeployment(team: Team, teamsDir: string, options: SystemOptions = {}) {
  const system = createTestSystem(team, options);
  const model = await startModelEndpoint([team]);
  model.behave = ({ body }) => {
    const input: { task: string; amount: number } = JSON.parse(
      body.messages.find(({ role }) => role === "user")?.content ?? "{}",
    );
    return JSON.stringify({ task: input.task, amount: input.amount, grade: "a" });
  };
  const outside = await startOutside();
  const folder = temporaryFolder();
  const keys = join(folder, "keys.json");
  writeFileSync(keys, system.keyring.exportJson(), { mode: 0o600 });
  const processes: StruckProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.end()));
    model.close();
  });
  const env = {
    ...processEnv(),
    REDIS_URL: testRedisUrl(),
    SUTURE_TEAMS: teamsDir,
    SUTURE_PREFIX: system.store.keys.prefix,
    SUTURE_KEYS: `@${keys}`,
    SUTURE_DATA_DIR: folder,
    SUTURE_SANDBOX_URL: outside.url,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "sk-test-0123456789abcdef",
    SUTURE_LOCK_MS: "1500",
    SUTURE_STALLED_INTERVAL_MS: "500",
    // A process that loses so short a lock on a busy machine counts as dead: three such deaths are not the trial here.
    SUTURE_CRASHES_MAX: "20",
    LOG_LEVEL: "silent",
  };
  return {
    system,
    model,
    outside,
    spawn(service: "agents" | "surgeon" | "gateway", more: SpawnOptions = {}): StruckProcess {
      const started = new StruckProcess({
        command: [`services/${service}/main.ts`, ...(more.args ?? [])],
        env: { ...env, ...more.env },
        strike: more.strike ?? null,
      });
      processes.push(started);
      return started;
    },
    async untilEnd(runId: string): Promise<RunRecord> {
      await expect
        .poll(async () => (await system.store.runs.get(runId)).status, { timeout: WAIT_MS, interval: 50 })
        .toSatisfy((status: RunRecord["status"]) => ENDED_STATUSES.includes(status));
      return system.store.runs.get(runId);
    },
    /** Nothing is lost and nothing waits: the counters say so, and the independent count agrees. */
    async checkBooks({ completed }: { readonly completed: number }): Promise<void> {
      const counts = await system.store.runs.counts();
      expect(counts).toMatchObject({ submitted: completed, completed });
      const hasCase = async (messageId: string): Promise<boolean> => {
        const found = await findCases(system.store, { filter: {}, limit: 100 });
        return found.cases.some(({ message_id }) => message_id === messageId);
      };
      expect((await auditRuns(system.store, hasCase)).lost).toEqual([]);
    },
  };
}

/** An outside system that does whatever it is asked to, once for each request: a repeat shows. */
async function startOutside() {
  /** Every effect, by the idempotency key it came with. */
  const effects: { readonly task: string; readonly key: string }[] = [];
  const url = await serveHttp((request, response, text) => {
    const key = new URL(request.url ?? "", "http://localhost").searchParams.get("key");
    let at = effects.findIndex((one) => one.key === key);
    if (request.method === "POST") at = effects.push(JSON.parse(text)) - 1;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ effect_id: at === -1 ? null : `effect-${at}` }));
  });
  return { url, effects };
}
