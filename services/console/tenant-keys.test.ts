import { expect, test } from "vitest";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

type Scope = "viewer" | "submit" | "operator" | "admin";

interface Wanted {
  readonly name: string;
  readonly tenant: string;
  readonly scope: Scope;
  readonly expires_at?: string;
}

async function make(console: TestConsole, { expires_at, ...wanted }: Wanted) {
  const made = await console.store.apiKeys.add(
    { ...wanted, teams: null, quotas: {}, expires_at: expires_at ?? null },
    "test",
  );
  return made.kind === "added" ? made.secret : "";
}

const look = (console: TestConsole, headers: Record<string, string>): Promise<Response> =>
  console.send("/v1/ward/cases", { key: null, headers });

const logIn = (console: TestConsole, api_key: string): Promise<Response> =>
  console.post("/v1/session", { api_key }, { key: null, headers: { origin: console.url } });

test.each([
  ["viewer", "acme", 403, 401],
  ["submit", "acme", 403, 401],
  ["submit", "local", 403, 401],
  ["viewer", "local", 200, 200],
  ["operator", "acme", 200, 200],
] as const)(
  "a key of scope %s and tenant %s, made while it runs, is answered %i and at the login %i",
  async (scope, tenant, status, atLogin) => {
    const console = await startTestConsole();
    const secret = await make(console, { name: "one", tenant, scope });
    const seen = () => look(console, { authorization: `Bearer ${secret}` });
    await expect.poll(async () => (await seen()).status, { timeout: 60_000 }).toBe(status);
    expect((await logIn(console, secret)).status).toBe(atLogin);
  },
);

async function open(console: TestConsole, secret: string): Promise<string> {
  await expect.poll(async () => (await logIn(console, secret)).status, { timeout: 60_000 }).toBe(200);
  return (await logIn(console, secret)).headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

test("a session does not pass to another key that is given the name of the one it was opened with", async () => {
  const console = await startTestConsole();
  const olaf = { name: "olaf", tenant: "local", scope: "operator" } as const;
  const cookie = await open(console, await make(console, olaf));
  await console.store.apiKeys.revoke("olaf");
  const secret = await make(console, olaf);
  await expect.poll(async () => (await logIn(console, secret)).status, { timeout: 60_000 }).toBe(200);
  expect((await look(console, { cookie })).status).toBe(401);
});

test.each(["a session", "a key"])("what %s follows ends when the key is revoked", async (by) => {
  const console = await startTestConsole();
  const secret = await make(console, { name: "olaf", tenant: "local", scope: "operator" });
  const cookie = await open(console, secret);
  const headers: Record<string, string> = by === "a key" ? { authorization: `Bearer ${secret}` } : { cookie };
  const stream = await console.send("/v1/events", { key: null, headers });
  const reader = stream.body?.getReader();
  await reader?.read();
  await console.store.apiKeys.revoke("olaf");
  const deadline = performance.now() + 5000;
  for (let ended = false; !ended && performance.now() < deadline;)
    ended = (await reader?.read())?.done ?? true;
  expect(performance.now()).toBeLessThan(deadline);
});
