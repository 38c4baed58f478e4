import { expect, test } from "vitest";
import { applyToGroup } from "#shared/ward/batches";
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
  const batch = {
    fingerprint,
    decision: "release" as const,
    by: "ada",
    why: "",
    canary: 1,
    rate_per_second: 1,
  };
  const { batch_id } = await applyToGroup(console.system, batch);
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
  for (const { method, path, role, operation } of ROUTES.filter((route) => route.role !== null)) {
    const { status, text } = await ask(console, { method, address: addressOf(path, ids), headers });
    // A refusal repeats what was asked for.
    const said = Object.values(ids).reduce((left, id) => left.replaceAll(id, ""), text);
    expect(status === 200 ? text : said, operation.id).not.toMatch(SECRET);
    if (status === 200) lists.push(operation.id);
    else if (operation.id !== "logOut")
      expect([403, 404], `${operation.id} ${role}: ${text}`).toContain(status);
  }
  expect(lists.toSorted()).toEqual(
    "listAgents,listApplies,listCases,listCircuits,listGroups,listHandoffs,listQueues,listRecipes,showSession".split(
      ",",
    ),
  );
  const searches = [`cases?text=A-4711`, `cases?text=${ids.case_id}`, `cases?text=${ids.run_id}`]
    .concat([`cases?run_id=${ids.run_id}`, `cases?fingerprint=${encodeURIComponent(ids.fingerprint)}`])
    .concat(["groups?text=con", "groups?sort=need", "applies", "groups", "cases"]);
  for (const search of searches) {
    const { text } = await ask(console, { method: "GET", address: `/v1/ward/${search}`, headers });
    expect(text, search).not.toMatch(/con-book/);
  }
  for (const address of ["/queues", "/queues/api/queues"])
    expect((await ask(console, { method: "GET", address, headers })).status).toBe(403);
  const { text } = await ask(console, { method: "GET", address: "/v1/recipes", headers });
  expect(JSON.parse(text)).toMatchObject({ total: 0 });
});

test("a key of the case's own team works on it", async () => {
  const { console, headers, ids } = await open(["con-orders"]);
  for (const path of [
    "ward/cases/:case_id",
    "ward/groups/:fingerprint",
    "recipes/:recipe_id",
    "ward/applies/:batch_id",
  ]) {
    const { status, text } = await ask(console, {
      method: "GET",
      address: addressOf(`/v1/${path}`, ids),
      headers,
    });
    if (status !== 200) expect.fail(`${path}: ${text}`);
  }
  for (const list of ["ward/cases", "ward/groups", "recipes"]) {
    const { text } = await ask(console, { method: "GET", address: `/v1/${list}`, headers });
    expect(text).toContain("con-book");
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
