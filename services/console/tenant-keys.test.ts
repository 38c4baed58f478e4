import { expect, test } from "vitest";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

type Scope = "viewer" | "submit" | "operator" | "admin";

async function make(console: TestConsole, wanted: { name: string; tenant: string; scope: Scope }) {
  const made = await console.store.apiKeys.add(
    { ...wanted, teams: null, quotas: {}, expires_at: null },
    "test",
  );
  return made.kind === "added" ? made.secret : "";
}

const look = (console: TestConsole, headers: Record<string, string>): Promise<Response> =>
  console.send("/api/v1/ward/cases", { key: null, headers });

const logIn = (console: TestConsole, api_key: string): Promise<Response> =>
  console.post("/api/v1/session", { api_key }, { key: null, headers: { origin: console.url } });

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
    await expect.poll(async () => (await seen()).status, { timeout: 1000 }).toBe(status);
    expect((await logIn(console, secret)).status).toBe(atLogin);
  },
);

test("a session ends when the key that opened it is revoked", async () => {
  const console = await startTestConsole();
  const secret = await make(console, { name: "olaf", tenant: "local", scope: "operator" });
  await expect.poll(async () => (await logIn(console, secret)).status, { timeout: 1000 }).toBe(200);
  const opened = await logIn(console, secret);
  const cookie = opened.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  expect((await look(console, { cookie })).status).toBe(200);
  await console.store.apiKeys.revoke("olaf");
  await expect.poll(async () => (await look(console, { cookie })).status, { timeout: 1000 }).toBe(401);
  expect((await logIn(console, secret)).status).toBe(401);
});
