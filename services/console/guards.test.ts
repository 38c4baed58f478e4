import { once } from "node:events";
import { utimes } from "node:fs/promises";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ROUTES } from "./api/routes.ts";
import { SECRETS, startTestConsole, waitFor } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

/** Logs in as a browser on the console's own page would. */
async function logIn(console: TestConsole, body?: unknown): Promise<string> {
  const token = await console.offerLink();
  const answer = await console.post("/v1/session", body ?? { token }, {
    key: null,
    headers: { origin: console.url },
  });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  return cookie.split(";", 1)[0] ?? "";
}

// tests/doors.test.ts asks for every other row without a login.
test("tells a session who is asking and where traces are shown, and without such a place null", async () => {
  const traceUrl = "https://tempo.example.org/trace/{trace_id}";
  const told = await startTestConsole({}, [], undefined, undefined, { traceUrl });
  const who = { name: "vera", role: "viewer", is_rehearsal: true };
  expect(await (await told.send("/v1/session", { key: "viewer" })).json()).toEqual({
    ...who,
    trace_url: traceUrl,
  });
  const untold = await startTestConsole();
  expect(await (await untold.send("/v1/session", { key: "viewer" })).json()).toEqual({
    ...who,
    trace_url: null,
  });
});

test("lets nobody in without a login but on the rows that say so", () => {
  const open = ROUTES.filter(({ operation }) => operation.scopes === null);
  expect(open.map(({ operation }) => operation.id)).toEqual(["logIn", "showLogin", "showLiveness"]);
});

test("refuses every change to viewers, and everything to keys that only submit", async () => {
  const console = await startTestConsole();
  for (const { method, path, operation } of ROUTES.filter((route) => route.operation.scopes !== null)) {
    const scopes = operation.scopes ?? [];
    const address = path.replaceAll(/:\w+/g, "x");
    expect((await console.send(address, { method, key: "submit" })).status, `submit ${path}`).toBe(403);
    if (scopes.includes("viewer")) continue;
    expect((await console.send(address, { method, key: "viewer" })).status, `viewer ${path}`).toBe(403);
    if (!scopes.includes("operator"))
      expect((await console.send(address, { method, key: "operator" })).status).toBe(403);
  }
});

test("opens one session for one link, and none for a used, old, or wrong one", async () => {
  const console = await startTestConsole();
  const token = await console.offerLink();
  const enter = (body: unknown): Promise<Response> => console.post("/v1/session", body, { key: null });
  expect((await enter({ token: "x".repeat(48) })).status).toBe(401);
  const both = await Promise.all([enter({ token }), enter({ token })]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  const old = await console.offerLink();
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(console.folder, "keys", "console-login"), hourAgo, hourAgo);
  expect((await enter({ token: old })).status).toBe(401);
  expect((await enter({ token: "" })).status).toBe(422);
  expect((await enter({ api_key: SECRETS.submit })).status).toBe(401);
});

test("limits wrong keys and wrong logins of one address, and lets right ones in", async () => {
  const console = await startTestConsole({ failuresBurst: 3, failuresPerSecond: 0.01 });
  const statuses: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    statuses.push((await console.post("/v1/session", { api_key: `guess-${tries}` }, { key: null })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  const headers = { authorization: "Bearer guess" };
  expect((await console.send("/v1/session", { key: null, headers })).status).toBe(429);
  expect((await console.send("/v1/session", { key: "viewer" })).status).toBe(200);
  expect((await console.post("/v1/session", { api_key: SECRETS.viewer }, { key: null })).status).toBe(200);
  expect(await logIn(console)).toContain("suture_session=");
});

test("takes a session's changes from the console's own page alone", async () => {
  const console = await startTestConsole();
  const cookie = await logIn(console);
  const pause = async (headers: Record<string, string>): Promise<number> =>
    (await console.post("/v1/queues/con-book/pause", {}, { key: null, headers: { cookie, ...headers } }))
      .status;
  expect(await pause({})).toBe(403);
  expect(await pause({ origin: "http://evil.example" })).toBe(403);
  expect(await pause({ origin: "null" })).toBe(403);
  expect(await pause({ origin: `${console.url}.evil.example` })).toBe(403);
  expect(await pause({ origin: console.url, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await pause({ origin: console.url })).toBe(200);
  const queues = await (await console.send("/v1/queues", { key: null, headers: { cookie } })).json();
  expect(queues).toMatchObject({
    queues: expect.arrayContaining([expect.objectContaining({ agent: "con-book", is_paused: true })]),
  });
  const audit = await (await console.send("/v1/audit")).json();
  expect(audit).toMatchObject({
    audit: expect.arrayContaining([expect.objectContaining({ by: "local", action: "queue.pause" })]),
  });
});

test("ends a session at log-out, and takes no cookie that it did not give", async () => {
  const console = await startTestConsole();
  const cookie = await logIn(console, { api_key: SECRETS.operator });
  const who = (value: string): Promise<Response> =>
    console.send("/v1/session", { key: null, headers: { cookie: value } });
  expect(await (await who(cookie)).json()).toMatchObject({ name: "olga", role: "operator" });
  for (const forged of [
    "suture_session=",
    `suture_session=${"A".repeat(43)}`,
    `${cookie}x`,
    "suture_session=../../etc",
  ]) {
    expect((await who(forged)).status, forged).toBe(401);
  }
  const out = await console.send("/v1/session", {
    method: "DELETE",
    key: null,
    headers: { cookie, origin: console.url },
  });
  expect(out.status).toBe(204);
  expect((await who(cookie)).status).toBe(401);
});

test("takes no session from others for one who logs in again and again", async () => {
  const console = await startTestConsole({ sessionsMax: 5, loginsPerHour: 20 });
  const admin = await logIn(console);
  const operator = await logIn(console, { api_key: SECRETS.operator });
  const statuses: number[] = [];
  for (let n = 0; n < 25; n += 1)
    statuses.push((await console.post("/v1/session", { api_key: SECRETS.viewer }, { key: null })).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
  for (const cookie of [admin, operator])
    expect((await console.send("/v1/session", { key: null, headers: { cookie } })).status).toBe(200);
});

test("names the cookie behind TLS so that no other host or port can plant it", async () => {
  const console = await startTestConsole();
  const tls = { "x-forwarded-proto": "https" };
  const answer = await console.post(
    "/v1/session",
    { api_key: SECRETS.viewer },
    { key: null, headers: { ...tls, origin: console.url.replace("http:", "https:") } },
  );
  const header = answer.headers.get("set-cookie") ?? "";
  expect(header).toMatch(/^__Host-suture_session=[\w-]{43}; Path=\/;.*; Secure$/);
  const cookie = header.split(";", 1)[0] ?? "";
  const who = (sent: string): Promise<Response> =>
    console.send("/v1/session", { key: null, headers: { ...tls, cookie: sent } });
  expect((await who(cookie)).status).toBe(200);
  expect((await who(cookie.replace("__Host-", ""))).status).toBe(401);
});

test("ends an event stream when its session ends", async () => {
  const console = await startTestConsole();
  const cookie = await logIn(console);
  const stream = await console.send("/v1/events", { key: null, headers: { cookie } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  await waitFor(async () => {
    text += (await reader?.read())?.value ?? "";
    return text.includes("event: overview");
  });
  await console.send("/v1/session", {
    method: "DELETE",
    key: null,
    headers: { cookie, origin: console.url },
  });
  for (let ended = false; !ended;) ended = (await reader?.read())?.done ?? true;
});

test.each([
  ["br", createBrotliDecompress()],
  ["gzip", createGunzip()],
])("sends how things stand as differences to who takes %s, each at once", async (encoding, plain) => {
  const console = await startTestConsole();
  const stream = get(`${console.url}/v1/events`, {
    headers: { authorization: `Bearer ${SECRETS.viewer}`, "accept-encoding": encoding },
  });
  onTestFinished(() => void stream.destroy());
  const [response] = (await once(stream, "response")) as [IncomingMessage];
  expect(response.headers["content-encoding"]).toBe(encoding);
  let [text, bytes] = ["", 0];
  response.on("data", (part: Buffer) => (bytes += part.length)).pipe(plain);
  plain.on("data", (part: Buffer) => (text += part.toString()));
  const told = (): number => text.split("event: overview").length - 1;
  await waitFor(async () => told() >= 1);
  const first = { bytes, chars: text.length };
  await waitFor(async () => told() >= 4);
  expect(bytes - first.bytes).toBeLessThan((text.length - first.chars) / 5);
});

test("answers hostile requests with a problem and goes on", async () => {
  const console = await startTestConsole({ bodyBytesMax: 4096 });
  const path = "/v1/ward/cases/x/discard";
  const post = (body: string, type = "application/json", more: Record<string, string> = {}): RequestInit => ({
    method: "POST",
    body,
    headers: { "content-type": type, ...more },
  });
  const cases: [string, RequestInit, number][] = [
    [path, post(JSON.stringify({ why: "x".repeat(10_000) })), 413],
    [path, post("{"), 400],
    [path, post('{"why":"a","why":"b"}'), 400],
    [path, post('{"why":"a","__proto__":{}}'), 400],
    [path, post('{"why":"a","more":1}'), 422],
    [path, post("why=a", "application/x-www-form-urlencoded"), 415],
    [path, post("x", "application/json", { "content-encoding": "gzip" }), 415],
    [path, post('{"why":"a"}'), 404],
    ["/v1/ward/cases/..%2f..%2fetc", {}, 404],
    [`/v1/ward/cases/${"x".repeat(299)}`, {}, 422],
    [`/v1/ward/cases/${"x".repeat(2000)}`, {}, 414],
    ["/v1/ward/cases/%00%ff", {}, 400],
    ["/v1/ward/cases?cursor=%7C%7C", {}, 200],
    ["/v1/ward/cases?unknown=1", {}, 422],
    ["/v1/nothing", {}, 404],
    ["/v1/overview", { method: "PUT" }, 405],
    ["/web/..%2fserver.ts", {}, 404],
    ["/v1/recipes/none", {}, 404],
    ["/v1/queues/nobody/pause", { method: "POST" }, 404],
  ];
  for (const [address, init, status] of cases) {
    const answer = await console.send(address, init);
    expect(answer.status, `${address} ${JSON.stringify(init).slice(0, 80)}`).toBe(status);
    if (status >= 400)
      expect(answer.headers.get("content-type"), address).toContain("application/problem+json");
  }
  expect((await console.send("/healthz")).status).toBe(200);
});

test("hands a hostile payload to the page as data, under a policy that runs no script of others", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const script = "</script><img src=x onerror=alert(1)>";
  const { case_id } = await console.admit({ order_id: script, amount: 1, note: 7, [script]: script });
  const answer = await console.send(`/v1/ward/cases/${case_id}`);
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(((await answer.json()) as { original: { text: string } }).original.text).toContain(script);
  for (const path of ["/", "/login"]) {
    const page = await console.send(path, { key: null });
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style|style=|https?:\/\//);
  }
});
