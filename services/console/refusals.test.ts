import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ROUTES } from "./api/routes.ts";
import { SECRETS, startTestConsole, waitFor } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

type Refusals = { refusals: Record<string, unknown>[] };

async function refusalsOf(console: TestConsole, count: number): Promise<Record<string, unknown>[]> {
  return waitFor(async () => {
    const { refusals } = (await (await console.send("/v1/refusals")).json()) as Refusals;
    return refusals.length >= count && refusals;
  });
}

test("records what it refused: roles, wrong keys, failed logins, foreign origins, decisions", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id } = await console.admit({ order_id: 1 });
  const decision = `/v1/ward/cases/${case_id}/approve`;
  const origin = "http://evil.example";
  expect((await console.post("/v1/queues/con-book/pause", {}, { key: "viewer" })).status).toBe(403);
  const headers = { authorization: "Bearer not-a-key-of-ours" };
  expect((await console.send("/v1/overview", { key: null, headers })).status).toBe(401);
  expect((await console.post("/v1/session", { api_key: "guess-0123" }, { key: null })).status).toBe(401);
  expect((await console.post("/v1/session", { token: "x" }, { key: null, headers: { origin } })).status).toBe(
    403,
  );
  expect((await console.post(decision, { why: "x" }, { key: "operator" })).status).toBe(409);
  expect((await console.send("/v1/session", { key: "submit" })).status).toBe(403);
  // A page without a session asks again and again; that is no attempt.
  expect((await console.send("/v1/overview", { key: null })).status).toBe(401);
  const refusals = await refusalsOf(console, 6);
  const shared = { service: "console", address: "127.0.0.1", unrecorded: 0 };
  const path = "/v1/ward/cases/:case_id/approve";
  expect(refusals).toEqual(
    [
      { by: "sam", method: "GET", route: "/v1/session", status: 403, code: "forbidden" },
      { by: "olga", method: "POST", route: path, status: 409, code: "ward_decision_refused" },
      { by: null, method: "POST", route: "/v1/session", status: 403, code: "cross_origin" },
      { by: null, method: "POST", route: "/v1/session", status: 401, code: "login_refused" },
      { by: null, method: "GET", route: "/v1/overview", status: 401, code: "unauthorised" },
      {
        by: "vera",
        method: "POST",
        route: "/v1/queues/:agent/pause",
        status: 403,
        code: "forbidden",
      },
    ].map((one) => ({ ...shared, ...one, at: expect.stringMatching(/^\d{4}-.*Z$/) })),
  );
  expect(JSON.stringify(refusals)).not.toMatch(/guess|not-a-key|secret/);
});

test("shows a record of a refusal that was changed as damaged", async () => {
  const console = await startTestConsole();
  expect((await console.send("/v1/refusals", { key: "operator" })).status).toBe(403);
  await refusalsOf(console, 1);
  await console.store.redis.lpush(console.store.keys.refusals(), '{"by":1}', "no JSON");
  const refusals = await refusalsOf(console, 3);
  expect(refusals.map(({ code }) => code)).toEqual(["damaged", "damaged", "forbidden"]);
});

const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    onTestFinished(() => void socket.destroy());
  });

test("gives clients without a login few connections, shortly, and refuses a header that comes twice", async () => {
  const console = await startTestConsole({ anonymousPerAddressMax: 3, anonymousMs: 1000 });
  const { port } = new URL(console.url);
  const open = (): Promise<Socket> => openSocket(Number(port));
  const idle = [await open(), await open(), await open(), await open()];
  await waitFor(async () => idle[0]?.destroyed);
  expect(idle.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  await waitFor(async () => idle.every(({ destroyed }) => destroyed));
  const twice = await open();
  const answer = new Promise<string>((resolve) => twice.once("data", (bytes) => resolve(bytes.toString())));
  const key = `Authorization: Bearer ${SECRETS.viewer}\r\n`;
  twice.write(`GET /v1/session HTTP/1.1\r\nHost: x\r\n${key}${key}\r\n`);
  expect(await answer).toMatch(/^HTTP\/1\.1 400 [^]*header_repeated/);
});

test("serves streams and connections of others while one key opens all it can", async () => {
  const console = await startTestConsole({ streamsMax: 10, connectionsMax: 40 });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const watch = async (key: keyof typeof SECRETS): Promise<number> =>
    (await console.send("/v1/events", { key, signal: leave.signal })).status;
  const ofOne = await Promise.all(Array.from({ length: 12 }, () => watch("viewer")));
  expect(ofOne.filter((status) => status === 200)).toHaveLength(5);
  expect(await watch("admin")).toBe(200);
  const ask = async (key: string): Promise<string> => {
    const socket = await openSocket(Number(new URL(console.url).port));
    const answer = new Promise<string>((resolve) => {
      socket.once("data", (bytes) => resolve(bytes.toString().slice(9, 12)));
      socket.once("close", () => resolve(""));
      socket.once("error", () => resolve(""));
    });
    socket.write(`GET /v1/session HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return answer;
  };
  const opened = await Promise.all(Array.from({ length: 45 }, () => ask(SECRETS.viewer)));
  expect(opened.filter((status) => status === "200").length).toBeLessThanOrEqual(20);
  expect(await ask(SECRETS.admin)).toBe("200");
});

test("a console with a route that declares no scopes does not start, and names it", async () => {
  const operation = { ...ROUTES[0]?.operation, id: "showSecrets" };
  Reflect.deleteProperty(operation, "scopes");
  Array.prototype.push.call(ROUTES, { method: "GET", path: "/v1/secrets", operation });
  onTestFinished(() => void Array.prototype.pop.call(ROUTES));
  await expect(startTestConsole()).rejects.toMatchObject({
    code: "ROUTE_UNGUARDED",
    message: expect.stringContaining("GET /v1/secrets"),
  });
});

test.each([
  ["wait", "a string, not a list"],
  ["meta", "a string, not a hash"],
])("names a queue whose key %s is damaged, and shows all else as it is", async (key, problem) => {
  const console = await startTestConsole();
  await console.store.redis.set(console.store.keys.job("con-book", key), "x");
  for (const path of ["/v1/queues", "/v1/overview"]) {
    const answer = await console.send(path);
    expect(answer.status, path).toBe(200);
    const { queues } = (await answer.json()) as { queues: { agent: string; damage: string | null }[] };
    const damaged = queues.filter(({ damage }) => damage !== null);
    expect(damaged).toEqual([
      expect.objectContaining({ agent: "con-book", lane: "fresh", damage: expect.stringContaining(problem) }),
    ]);
  }
});
