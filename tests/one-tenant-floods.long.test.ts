import { request } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { createTestSystem, serveHttp } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import type { Store } from "#shared/store";
import { spawnGateway } from "./support/service-process.ts";
import stepsTeam from "./support/steps-team/steps/team.ts";

/** Everything of a gateway that a tenant can use up, taken by real clients while another tenant is served. */

const KEYS = 10;
const secretOf = (name: string): string => `${name}-secret-0123456789`;
const FLOODERS = Array.from({ length: KEYS }, (_, n) => `a${n}`);
/** An answer that takes longer would be a client's time-out. */
const SERVED_WITHIN_MS = 10_000;
const MIB = 1024 * 1024;

interface Gateway {
  readonly url: string;
  readonly system: TestSystem;
  readonly store: Store;
  /** Sends a request on a connection of its own; it stays open until the test ends. */
  open(path: string, sent?: Sent): Promise<Answer>;
}

interface Sent {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Answer {
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  readonly sent: ClientRequest;
  readonly text: () => Promise<string>;
}

async function startGateway(env: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const system = createTestSystem(stepsTeam);
  const keys = [...FLOODERS.map((name) => `acme/${name}`), "globex/g"];
  const { url } = await spawnGateway(system, {
    SUTURE_TEAMS: "tests/support/steps-team",
    SUTURE_API_KEYS: keys.map((key) => `${key}:submit:${secretOf(key.split("/")[1] ?? "")}`).join(),
    ...env,
  });
  return { url, system, store: system.store, open: (path, sent = {}) => openRequest(url + path, sent) };
}

async function openRequest(url: string, options: Sent): Promise<Answer> {
  const { key = "g", method = "GET", headers = {}, body } = options;
  return new Promise((resolve) => {
    const sent = request(url, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${secretOf(key)}`, connection: "keep-alive", ...headers },
    });
    onTestFinished(() => void sent.destroy());
    const gone = (): void => resolve({ status: 0, sent, text: async () => "" });
    sent.once("error", gone);
    sent.once("response", (response) =>
      resolve({ status: response.statusCode ?? 0, sent, text: () => readAll(response) }),
    );
    sent.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}

const json = (value: unknown, more: Sent = {}): Sent => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
  ...more,
});

async function begin(gateway: Gateway, key: string, more: object = {}): Promise<string> {
  const answer = await gateway.open(
    "/v1/tasks",
    json({ team: "steps", input: { name: "a" }, ...more }, { key }),
  );
  expect(answer.status).toBe(202);
  const { run_id } = JSON.parse(await answer.text()) as { run_id: string };
  return run_id;
}

/** Returns the status of another tenant's request, and fails where it takes too long. */
async function served(gateway: Gateway, path: string, sent: Sent = {}): Promise<number> {
  const startedMs = performance.now();
  const { status } = await gateway.open(path, sent);
  expect(performance.now() - startedMs).toBeLessThan(SERVED_WITHIN_MS);
  return status;
}

it("serves others while one key, then one tenant, opens as many connections as there are", async () => {
  const gateway = await startGateway({ SUTURE_GATEWAY_CONNECTIONS_MAX: "60" });
  const ask = async (key: string): Promise<number> => (await gateway.open("/v1/teams", { key })).status;
  const ofOneKey = await Promise.all(Array.from({ length: 70 }, () => ask("a0")));
  expect(ofOneKey.filter((status) => status === 200).length).toBeLessThan(30);
  expect(await served(gateway, "/v1/teams", { key: "a1" })).toBe(200);
  const ofAllKeys = await Promise.all(FLOODERS.flatMap((key) => Array.from({ length: 10 }, () => ask(key))));
  expect(ofAllKeys.filter((status) => status === 200).length).toBeLessThan(30);
  for (let n = 0; n < 5; n += 1) expect(await served(gateway, "/v1/teams")).toBe(200);
});

it("stores content of others while one tenant stores all it can", async () => {
  const gateway = await startGateway({ SUTURE_BLOBS_BYTES_MAX: String(MIB) });
  const blob = (n: number, more: Sent): Sent => ({ method: "POST", body: Buffer.alloc(65_536, n), ...more });
  const statuses: number[] = [];
  for (let n = 0; n < 24; n += 1)
    statuses.push((await gateway.open("/v1/blobs", blob(n, { key: "a0" }))).status);
  expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(8);
  expect(await served(gateway, "/v1/blobs", blob(100, {}))).toBe(201);
});

it("tells others' addresses while one tenant's addresses do not answer", async () => {
  const told: string[] = [];
  const url = await serveHttp((asked, reply) => {
    told.push(asked.url ?? "");
    if (asked.url !== "/hangs") reply.writeHead(204).end();
  });
  const { host } = new URL(url);
  const gateway = await startGateway({ SUTURE_PUSH_HOSTS: host });
  await gateway.system.start();
  const end = async (run: string): Promise<void> => {
    await gateway.store.runs.cancel({ runId: run, by: "test", markLifeMs: 60_000 });
  };
  for (let n = 0; n < 60; n += 1) {
    const run = await begin(gateway, FLOODERS[n % KEYS] ?? "a0", {
      webhook: { url: `http://${host}/hangs` },
    });
    await end(run);
  }
  await expect.poll(() => told.includes("/hangs"), { timeout: 10_000 }).toBe(true);
  const run = await begin(gateway, "g", { webhook: { url: `http://${host}/own` } });
  await end(run);
  await expect.poll(() => told.includes("/own"), { timeout: SERVED_WITHIN_MS }).toBe(true);
});
