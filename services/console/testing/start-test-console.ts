import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { onTestFinished, vi } from "vitest";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { ok } from "#shared/doctor";
import type { Team } from "#shared/runtime";
import { Store, waitUntilReady } from "#shared/store";
import { Metrics } from "#shared/telemetry";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { RecipeStore } from "#shared/store/cases";
import type { AttachedQueue } from "../attached/attached-queues.ts";
import { CONSOLE_BOUNDS_DEFAULT } from "../console.ts";
import type { ConsoleBounds, ConsoleParts } from "../console.ts";
import { startConsole } from "../server.ts";
import type { RunningServer } from "#shared/http/server";
import { ordersTeam } from "./orders-team.ts";

export const SECRETS = {
  viewer: "viewer-secret-0123456789",
  submit: "submit-secret-0123456789",
  operator: "operator-secret-0123456789",
  admin: "admin-secret-0123456789",
  /** The admin's second key: `people` says whose it is. */
  phone: "phone-secret-0123456789",
} as const;

const API_KEYS = [
  `vera:viewer:${SECRETS.viewer},sam:submit:${SECRETS.submit},olga:operator:${SECRETS.operator}`,
  `ada:admin:${SECRETS.admin},ada-phone:operator:${SECRETS.phone}`,
].join(",");

export interface TestConsole {
  readonly system: TestSystem;
  readonly running: RunningServer;
  readonly url: string;
  readonly folder: string;
  readonly store: Store;
  readonly recipes: RecipeStore;
  /** Requests with the key of a role unless `key` is null. */
  send(path: string, request?: RequestInit & { key?: keyof typeof SECRETS | null }): Promise<Response>;
  post(
    path: string,
    body?: unknown,
    more?: { key?: keyof typeof SECRETS | null; headers?: Record<string, string> },
  ): Promise<Response>;
  /** Leaves the token of a new login link where the launcher would. */
  offerLink(): Promise<string>;
  /** Has the agents meet a payload that their contract refuses; gives the case once it waits for somebody. */
  admit(payload: unknown): Promise<WardCase>;
}

/** Its own connection, patient on a machine that is busy with more than this. */
async function openStore({ store: { options } }: TestSystem): Promise<Store> {
  const store = new Store({ ...options, role: "producer", answerMs: options.answerMs ?? 60_000 });
  await waitUntilReady(store.redis, 5000);
  return store;
}

export async function startTestConsole(
  bounds: Partial<ConsoleBounds> = {},
  // Teams that it shows beside the one at work.
  teams: readonly Team[] = [],
  // The system that it shows. Default: a test system of its own with the team `orders`.
  system: TestSystem = createTestSystem(ordersTeam),
  // Queues that it shows beside the teams. Default: none.
  attached: readonly AttachedQueue[] = [],
  {
    // False: there is a model.
    isRehearsal = true,
    // By whom people may log in; null: by key or link alone.
    openId = null,
    // Address of the page that shows traces; null: there is none.
    traceUrl = null,
    // The archive whose words it searches. Its reader is an option of the system's store.
    archive = null,
  }: Partial<
    Pick<ConsoleParts, "openId" | "archive"> & Pick<ConsoleParts["config"], "isRehearsal" | "traceUrl">
  > = {},
): Promise<TestConsole> {
  const folder = temporaryFolder();
  const people = { SUTURE_API_KEYS: API_KEYS, SUTURE_PEOPLE: "ada-phone=ada" };
  const config = loadConfig({ ...people, SUTURE_DATA_DIR: folder });
  const store = await openStore(system);
  const loginFile = join(folder, "keys", "console-login");
  await mkdir(join(folder, "keys"));
  const running = await startConsole(
    {
      store,
      teams: [system.team, ...teams],
      config: { ...config, isRehearsal, traceUrl },
      checksAnswers: true,
      logger: pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" }),
      metrics: new Metrics(),
      archive,
      attached,
      openId,
      examine: async () => ({ findings: [ok("Redis", "answers")], limits: { SUTURE_QUEUE_LIMIT: 7 } }),
      bounds: { ...CONSOLE_BOUNDS_DEFAULT, tickMs: 50, ...bounds },
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(async () => {
    await running.stop(500);
    for (const queue of attached) queue.close();
    await store.close();
    // A write that was under way at the stop may end a moment later.
  });
  const send: TestConsole["send"] = (path, { key = "admin", headers, ...request } = {}) =>
    fetch(running.url + path, {
      redirect: "manual",
      ...request,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${SECRETS[key]}` }),
        ...(headers as Record<string, string> | undefined),
      },
    });
  const post: TestConsole["post"] = (path, body, { key = "admin", headers = {} } = {}) =>
    send(path, {
      method: "POST",
      key,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    });
  return {
    system,
    running,
    url: running.url,
    folder,
    store,
    recipes: new RecipeStore(store),
    send,
    post,
    offerLink: () => offerLink(loginFile),
    admit: (payload) => admit(system, payload),
  };
}

async function offerLink(loginFile: string): Promise<string> {
  const token = randomHex(24);
  await writeFile(loginFile, `${token}\n`, { mode: 0o600 });
  return token;
}

async function admit(system: TestSystem, payload: unknown): Promise<WardCase> {
  const { runId } = await system.submit(payload);
  await system.until(runId, ["in_ward", "quarantined"]);
  return waitFor(
    async () => (await findCases(system.store, { filter: { run_id: runId }, limit: 1 })).cases[0],
  );
}

export async function waitFor<Value>(ask: () => Promise<Value | undefined | false | null>): Promise<Value> {
  const look = async (): Promise<Value> => {
    const answer = await ask();
    if (answer === undefined || answer === false || answer === null) throw new Error("it did not come to be");
    return answer;
  };
  return vi.waitFor(look, { timeout: 60_000, interval: 15 });
}
