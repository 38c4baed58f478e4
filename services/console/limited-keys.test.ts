import { expect, test } from "vitest";
import { pairKey } from "#shared/store/feedback";
import { groupBatches } from "#shared/ward/decisions";
import { ROUTES } from "./api/routes.ts";
import { startTestConsole, waitFor } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

/** Data that no key of another team may read. */
const SECRET = /A-4711|con-book|con-spare|con-orders/;

/** A console with one case, group, recipe and batch of the team `con-orders`, and an admin's key for other teams. */
async function open(teams: readonly string[]) {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, fingerprint, run_id } = await console.admit({
    order_id: "A-4711",
    amount: "x",
    note: "n",
  });
  await console.recipes.put({
    recipe_id: "r-4711",
    fingerprint,
    recipe: { version: 1, operations: [{ op: "rename", path: "/no", to: "note" }] },
    state: "trial",
    by: "ada",
    at: "2026-01-01T00:00:00.000Z",
  });
  const sent = { from: "con-book", to: "con-gone", handoff_type: "order", contract: "con-orders@1.0.0" };
  await console.store.rates.countHandoffs({ good: new Map([[pairKey(sent), 1]]) });
  const batch = {
    fingerprint,
    decision: "release" as const,
    by: "ada",
    why: "",
    canary: 1,
    rate_per_second: 1,
  };
  const { batch_id } = await groupBatches(console.system.store).plan(batch);
  const wanted = { name: "tess", tenant: "local", scope: "admin" as const, quotas: {}, expires_at: null };
  const made = await console.store.apiKeys.add({ ...wanted, teams: [...teams] }, "test");
  const secret = made.kind === "added" ? made.secret : "";
  const headers = { authorization: `Bearer ${secret}` };
  await waitFor(async () => (await console.send("/v1/session", { key: null, headers })).status === 200);
  const ids = {
    case_id,
    run_id,
    batch_id,
    fingerprint,
    agent: "con-book",
    recipe_id: "r-4711",
    step_id: "1",
  };
  return { console, headers, ids };
}

const addressOf = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? "x"));

async function ask(
  console: TestConsole,
  at: { method: string; address: string; headers: Record<string, string> },
) {
  const { method, address, headers } = at;
  const answer = await console.send(address, { method, key: null, headers });
  return { status: answer.status, text: await answer.text() };
}

test("a key of another team reads nothing, changes nothing and finds nothing, on any row of the table", async () => {
  const { console, headers, ids } = await open(["another"]);
  const lists: string[] = [];
  for (const { method, path, operation } of ROUTES.filter((route) => route.operation.scopes !== null)) {
    const asked = operation.id === "search" ? "?text=A-4711" : "";
    const { status, text } = await ask(console, { method, address: addressOf(path, ids) + asked, headers });
    // A refusal repeats what was asked for.
    const said = Object.values(ids).reduce((left, id) => left.replaceAll(id, ""), text);
    expect(status === 200 ? text : said, operation.id).not.toMatch(SECRET);
    if (status === 200) lists.push(operation.id);
    else if (operation.id !== "logOut") expect([403, 404], `${operation.id}: ${text}`).toContain(status);
  }
  expect(lists.toSorted()).toEqual(
    "listAgents listApplies listCases listGroups listHandoffs listModelCosts listQueues listRecipes listRuns"
      .split(" ")
      .concat("search", "showSession"),
  );
  const searches = [`cases?text=A-4711`, `cases?text=${ids.case_id}`, `cases?text=${ids.run_id}`]
    .concat([`cases?run_id=${ids.run_id}`, `cases?fingerprint=${encodeURIComponent(ids.fingerprint)}`])
    .concat(["groups?text=con", "groups?sort=need", "applies", "groups", "cases"]);
  for (const search of searches) {
    const { text } = await ask(console, { method: "GET", address: `/v1/ward/${search}`, headers });
    expect(text, search).not.toMatch(/con-book/);
  }
  const { text } = await ask(console, { method: "GET", address: "/v1/recipes", headers });
  expect(JSON.parse(text)).toMatchObject({ total: 0 });
  const runs = await ask(console, { method: "GET", address: "/v1/runs", headers });
  expect(JSON.parse(runs.text)).toMatchObject({ runs: [] });
});

test("a key of the case's own team works on it", async () => {
  const { console, headers, ids } = await open(["con-orders"]);
  for (const path of [
    "ward/cases/:case_id",
    "ward/groups/:fingerprint",
    "recipes/:recipe_id",
    "ward/applies/:batch_id",
    "runs/:run_id",
  ]) {
    const { status, text } = await ask(console, {
      method: "GET",
      address: addressOf(`/v1/${path}`, ids),
      headers,
    });
    if (status !== 200) expect.fail(`${path}: ${text}`);
  }
  for (const list of ["ward/cases", "ward/groups", "recipes", "runs"]) {
    const { text } = await ask(console, { method: "GET", address: `/v1/${list}`, headers });
    expect(text).toMatch(/con-(book|orders)/);
  }
  const body = JSON.stringify({ why: "of no use" });
  const discarded = await console.send(addressOf("/v1/ward/cases/:case_id/discard", ids), {
    method: "POST",
    key: null,
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  expect(discarded.status).toBeLessThan(300);
});

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
    await expect.poll(async () => (await seen()).status).toBe(status);
    expect((await logIn(console, secret)).status).toBe(atLogin);
  },
);

async function openSession(console: TestConsole, secret: string): Promise<string> {
  await expect.poll(async () => (await logIn(console, secret)).status).toBe(200);
  return (await logIn(console, secret)).headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

test("a session does not pass to another key that is given the name of the one it was opened with", async () => {
  const console = await startTestConsole();
  const olaf = { name: "olaf", tenant: "local", scope: "operator" } as const;
  const cookie = await openSession(console, await make(console, olaf));
  await console.store.apiKeys.revoke("olaf");
  const secret = await make(console, olaf);
  await expect.poll(async () => (await logIn(console, secret)).status).toBe(200);
  expect((await look(console, { cookie })).status).toBe(401);
});

test.each(["a session", "a key"])("what %s follows ends when the key is revoked", async (by) => {
  const console = await startTestConsole();
  const secret = await make(console, { name: "olaf", tenant: "local", scope: "operator" });
  const cookie = await openSession(console, secret);
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
