import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent as defineAgent, team } from "#shared/runtime";
import type { WardCase } from "#shared/ward";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { checkRedirect } from "../services/console/ward/check-redirect.ts";
import type { CaseView } from "../services/console/ward/view-case.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };
const BAD = { order_id: "A-1", amount: 12.5, note: 7 };

async function view(console: TestConsole, caseId: string): Promise<CaseView> {
  return (await (await console.send(`/v1/ward/cases/${caseId}`)).json()) as CaseView;
}

test("shows a case with its original, its failures at their paths, the run's timeline and who did what", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const made = await console.admit({ ...GOOD, note: 7 });
  const seen = await view(console, made.case_id);
  expect(seen.original).toEqual({ text: '{"order_id":"A-1","amount":12.5,"note":7}', is_json: true });
  expect(seen.marks).toContainEqual(expect.objectContaining({ path: "/note", from: "failure" }));
  expect(seen.message?.failures[0]?.failure_class).toBe("validation_error");
  expect(seen.timeline.map(({ type }) => type)).toContain("in_ward");
  expect(seen.audit.map(({ action }) => action)).toContain("admit");
  expect(seen.run?.status).toBe("in_ward");
  expect(seen.redirects).toEqual(["con-spare"]);
  expect(seen.actions).toContain("release");
});

test("lists cases by every filter, groups with their trend, and nothing for a filter that does not hold", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const made = await console.admit(BAD);
  const list = async (query: string): Promise<WardCase[]> =>
    ((await (await console.send(`/v1/ward/cases?${query}`)).json()) as { cases: WardCase[] }).cases;
  for (const query of [
    "",
    `status=${made.status}`,
    `fingerprint=${encodeURIComponent(made.fingerprint)}`,
    "agent=con-book",
    `run_id=${made.run_id}`,
    "failure_class=validation_error",
    `text=${made.case_id.slice(0, 8)}`,
  ]) {
    expect(
      (await list(query)).map(({ case_id }) => case_id),
      query,
    ).toEqual([made.case_id]);
  }
  expect(await list("agent=nobody")).toEqual([]);
  expect((await console.send("/v1/ward/cases?status=lost")).status).toBe(422);
  expect((await console.send("/v1/ward/cases?limit=0")).status).toBe(422);
  const groups = await (await console.send("/v1/ward/groups")).json();
  expect(groups).toMatchObject({ groups: [{ fingerprint: made.fingerprint, count: 1, open: 1 }] });
});

test("says what a new value would meet, and refuses to release one that the contract refuses", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id } = await console.admit(BAD);
  const path = `/v1/ward/cases/${case_id}`;
  const check = async (body: unknown): Promise<unknown> => (await console.post(`${path}/check`, body)).json();
  expect(await check({ payload: GOOD })).toMatchObject({ acceptable: true, issues: [] });
  expect(await check({ payload: { ...GOOD, amount: "many" } })).toMatchObject({
    acceptable: false,
    issues: expect.arrayContaining([expect.objectContaining({ path: "/amount" })]),
  });
  expect(await check({ payload: { ...GOOD, note: "nonsense" } })).toMatchObject({ acceptable: false });
  expect(await check({ payload_text: "{" })).toMatchObject({ acceptable: false });
  expect(await check({ payload_text: '{"order_id":"A-1","amount":1,"amount":2,"note":""}' })).toMatchObject({
    acceptable: false,
  });
  const refused = await console.post(`${path}/release`, { payload: { ...GOOD, amount: 5000 }, why: "big" });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ pointer: "/payload/amount" })]),
  });
  expect((await view(console, case_id)).case.decision).toBeNull();
});

test("has a released value reach its agent, and shows the repair beside the original", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id } = await console.admit(BAD);
  const answer = await console.post(`/v1/ward/cases/${case_id}/release`, {
    payload: GOOD,
    why: "asked the customer",
  });
  expect(answer.status).toBe(202);
  startRealSurgeon(console);
  const run = await console.system.until(run_id);
  expect(run.status).toBe("completed");
  expect(run.result).toEqual({ booked: "A-1", amount: 12.5 });
  const seen = await waitFor(async () => {
    const one = await view(console, case_id);
    return one.case.status === "released" && one;
  });
  expect(seen.repair).toMatchObject({ procedure: "person", outcome: "healed", value: GOOD });
  expect(seen.audit).toContainEqual(
    expect.objectContaining({ action: "decide.release", by: "ada", why: "asked the customer" }),
  );
  expect(seen.actions).toEqual([]);
});

test("redirects to another agent that takes the contract", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id } = await console.admit(BAD);
  const path = `/v1/ward/cases/${case_id}`;
  expect((await console.post(`${path}/redirect`, { why: "x" })).status).toBe(422);
  expect(
    (await console.post(`${path}/redirect`, { agent: "con-spare", why: "this one is free" })).status,
  ).toBe(202);
  startRealSurgeon(console);
  const seen = await waitFor(async () => {
    const one = await view(console, case_id);
    return one.timeline.some(({ type, agent }) => type === "accepted" && agent === "con-spare") ||
      one.case.agent === "con-spare"
      ? one
      : null;
  });
  expect(seen.run?.run_id).toBe(run_id);
});

test("discards with a reason, refuses a second decision and a stale version, and restores what was discarded", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id, version } = await console.admit(BAD);
  const path = `/v1/ward/cases/${case_id}`;
  expect((await console.post(`${path}/discard`, {})).status).toBe(422);
  expect((await console.post(`${path}/discard`, { why: "spam", version: version + 5 })).status).toBe(409);
  expect((await console.post(`${path}/discard`, { why: "spam", version })).status).toBe(202);
  const again = await console.post(`${path}/discard`, { why: "spam" });
  expect(again.status).toBe(409);
  expect(await again.json()).toMatchObject({ code: "ward_decision_refused" });
  startRealSurgeon(console);
  expect((await console.system.until(run_id)).status).toBe("failed");
  await waitFor(async () => (await view(console, case_id)).case.status === "discarded");
  expect((await console.post(`${path}/discard`, { why: "again" })).status).toBe(409);
  expect((await console.post(`${path}/restore`)).status).toBe(202);
  const back = await waitFor(async () => {
    const one = await view(console, case_id);
    return one.case.status === "quarantined" && one;
  });
  expect(back.audit).toContainEqual(expect.objectContaining({ action: "restore", by: "ada" }));
});

test("plans work on a whole group, counts in a dry run, and starts or stops it as a person says", async () => {
  const console = await startTestConsole();
  await console.system.start();
  startRealSurgeon(console);
  const { case_id, fingerprint: group } = await console.admit({ ...GOOD, order_id: null, surplus: "x" });
  await waitFor(async () => (await view(console, case_id)).case.status === "quarantined");
  const path = `/v1/ward/groups/${encodeURIComponent(group)}/apply`;
  expect((await console.post(path, { decision: "explode", why: "x" })).status).toBe(422);
  expect((await console.post(path, { decision: "discard" })).status).toBe(422);
  const plan = async (): Promise<string> => {
    const planned = await console.post(path, { decision: "discard", why: "a test", canary: 0 });
    expect(planned.status).toBe(202);
    const { batch_id } = (await planned.json()) as { batch_id: string };
    await waitFor(async () => (await state(batch_id)) === "planned");
    return batch_id;
  };
  const state = async (batchId: string): Promise<string> =>
    ((await (await console.send(`/v1/ward/applies/${batchId}`)).json()) as { state: string }).state;
  const stopped = await plan();
  expect((await console.post(`/v1/ward/applies/${stopped}/stop`, { why: "no" })).status).toBe(202);
  expect(await state(stopped)).toBe("stopped");
  expect((await console.post(`/v1/ward/applies/${stopped}/start`)).status).toBe(409);
  expect((await view(console, case_id)).case.status).toBe("quarantined");
  const started = await plan();
  expect((await console.post(`/v1/ward/applies/${started}/start`, { why: "yes" })).status).toBe(202);
  await waitFor(async () => (await view(console, case_id)).case.status === "discarded");
  expect((await console.send("/v1/ward/applies/none")).status).toBe(404);
  expect((await console.post("/v1/ward/applies/none/stop")).status).toBe(404);
});

test("has recipes judged by admins alone, and written down", async () => {
  const console = await startTestConsole();
  const recipe = { version: 1, operations: [{ op: "delete", path: "/surplus" }] };
  const kept = {
    recipe_id: "r1",
    fingerprint: "f",
    state: "trial",
    recipe,
    by: "model",
    at: "2026-01-01T00:00:00.000Z",
  } as const;
  await console.recipes.put(kept);
  expect((await console.post("/v1/recipes/r1/approve", { why: "x" }, { key: "operator" })).status).toBe(403);
  expect(await (await console.post("/v1/recipes/r1/approve", { why: "seen" })).json()).toMatchObject({
    state: "trusted",
  });
  expect(await (await console.send("/v1/recipes/r1")).json()).toMatchObject({ state: "trusted" });
  expect(await (await console.post("/v1/recipes/r1/retire")).json()).toMatchObject({ state: "retired" });
  const { audit } = (await (await console.send("/v1/audit")).json()) as {
    audit: { action: string; why: string; by: string }[];
  };
  expect(audit).toContainEqual(expect.objectContaining({ action: "recipe.approve", by: "ada", why: "seen" }));
});

test("puts an edited recipe on trial, refuses what is none, and lists recipes by state", async () => {
  const console = await startTestConsole();
  const recipe = { version: 1, operations: [{ op: "delete", path: "/surplus" }] };
  const at = "2026-01-01T00:00:00.000Z";
  const kept = { recipe_id: "r1", fingerprint: "f", state: "trusted", recipe, by: "model", at } as const;
  await console.recipes.put(kept);
  const other = { version: 1, operations: [{ op: "rename", path: "/surplus", to: "note" }] };
  const edit = (body: unknown): Promise<Response> => console.post("/v1/recipes/r1/edit", body);
  expect((await edit({ recipe: other })).status).toBe(422);
  const code = { version: 1, operations: [{ op: "eval", code: "1" }] };
  expect((await edit({ recipe: code, why: "x" })).status).toBe(422);
  expect(await (await edit({ recipe: other, why: "a better one" })).json()).toMatchObject({
    state: "trial",
    recipe: other,
    proofs: [],
    changed_by: "ada",
    why: "a better one",
  });
  expect((await console.post("/v1/recipes/none/edit", { recipe: other, why: "x" })).status).toBe(404);
  const list = async (query: string): Promise<unknown> => (await console.send(`/v1/recipes?${query}`)).json();
  expect(await list("state=trial")).toMatchObject({ recipes: [{ recipe_id: "r1", healed: 0 }] });
  expect(await list("state=trusted")).toMatchObject({
    recipes: [],
    total: 0,
    counts: { trial: 1, trusted: 0 },
  });
  expect(await list("fingerprint=g")).toMatchObject({ recipes: [], counts: { trial: 0 } });
  expect(await list("limit=1&offset=1")).toMatchObject({ recipes: [], total: 1 });
  const audit = await console.store.cases.audit(null, 10);
  expect(audit).toContainEqual(
    expect.objectContaining({ action: "recipe.edit", by: "ada", why: "a better one" }),
  );
});

test("keeps what people think of a group, with what it costs and may cost", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { fingerprint } = await console.admit(BAD);
  const path = `/v1/ward/groups/${encodeURIComponent(fingerprint)}`;
  const mark = async (action: string, body?: unknown): Promise<unknown> =>
    (await console.post(`${path}/${action}`, body)).json();
  expect(await mark("acknowledge")).toMatchObject({ lifecycle: "acknowledged", resolution: null });
  expect((await console.post(`${path}/resolve`, { why: "x", since: "con-book" })).status).toBe(422);
  expect(await mark("resolve", { why: "released", since: "con-book@2" })).toMatchObject({
    lifecycle: "resolved",
    resolution: { by: "ada", since: { name: "con-book", version: 2 } },
  });
  // The agent that refused it is still of version 1.
  await console.admit(BAD);
  expect(await (await console.send(path)).json()).toMatchObject({
    lifecycle: "resolved",
    count: 2,
    cost: 0,
    replays: 0,
    recipes: [],
  });
  await mark("resolve", { why: "released", since: "con-book@1" });
  await console.admit(BAD);
  expect(await (await console.send(path)).json()).toMatchObject({
    lifecycle: "regressed",
    regression: { producer: expect.stringContaining("|") },
  });
  expect(await mark("reopen")).toMatchObject({ lifecycle: "open", resolution: null, regression: null });
  expect((await console.send("/v1/ward/groups/none")).status).toBe(404);
  expect((await console.post("/v1/ward/groups/none/reopen")).status).toBe(404);
  expect(await (await console.send("/v1/overview")).json()).toMatchObject({
    surgery_cost_this_hour: 0,
    surgery_limits: { cost_per_case: 0.1, cost_per_hour: 5, cost_per_group: 1 },
    surgery_held: null,
  });
});

test("shows the equation balanced, with agents live and their queues", async () => {
  const console = await startTestConsole();
  await console.system.start();
  await console.admit(BAD);
  const { runId } = await console.system.submit(GOOD);
  await console.system.until(runId);
  const overview = await waitFor(async () => {
    const seen = (await (await console.send("/v1/overview")).json()) as {
      agents: { agent: string; live: unknown[] }[];
    };
    return seen.agents.find(({ agent }) => agent === "con-book")?.live.length === 1 && seen;
  });
  expect(overview).toMatchObject({
    is_rehearsal: true,
    equation: { submitted: 2, completed: 1, waiting: 1, balanced: true },
    ward: { admitted: 1 },
    queues: expect.arrayContaining([expect.objectContaining({ agent: "ward", lane: "ward" })]),
  });
});

test("has a second person approve what needs two, and never the same one twice", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id } = await console.admit({ ...GOOD, account: 1 });
  const path = `/v1/ward/cases/${case_id}`;
  const payload = { ...GOOD, account: "DE-4711" };
  const checked = await (await console.post(`${path}/check`, { payload })).json();
  expect(checked).toMatchObject({ acceptable: true, second_person: ["/account"] });
  expect(
    (await console.post(`${path}/release`, { payload, why: "read it out" }, { key: "operator" })).status,
  ).toBe(202);
  startRealSurgeon(console);
  const proposed = await waitFor(async () => {
    const one = await view(console, case_id);
    return one.case.proposal !== null && one;
  });
  expect(proposed.case.proposal).toMatchObject({ by: "olga", paths: ["/account"] });
  expect(proposed.actions).toContain("approve");
  expect((await console.post(`${path}/approve`, { why: "fine" }, { key: "operator" })).status).toBe(409);
  expect((await console.post(`${path}/approve`, { why: "called them" }, { key: "admin" })).status).toBe(202);
  expect((await console.system.until(run_id)).status).toBe("completed");
});

test("shows digits as they came, and takes none that would come out as others", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id } = await console.admit({ ...GOOD, amount: 1.1, note: 7 });
  expect((await view(console, case_id)).original?.text).toContain('"amount":1.1,');
  const check = async (payload_text: string): Promise<unknown> =>
    (await console.post(`/v1/ward/cases/${case_id}/check`, { payload_text })).json();
  const long = '{"order_id":"A-1","amount":12345678901234567890,"note":"x"}';
  expect(await check(long)).toMatchObject({
    acceptable: false,
    issues: [expect.objectContaining({ path: "/amount" })],
  });
});

test("shows a message that never verified as unread, and lets it be discarded only", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { runId, envelope } = await console.system.submit(GOOD);
  await console.system.until(runId);
  const job = { lane: "fresh", agent: "con-book", delayMs: 0, priority: "normal" } as const;
  const data = {
    sealed: `${JSON.stringify(envelope)} `,
    seal: { alg: "hmac-sha256", key_id: "none", value: "AAAA" },
  };
  await console.store.queues.add({ ...job, jobId: "forged-1", data });
  const forged = await waitFor(async () => {
    const { cases } = (await (await console.send("/v1/ward/cases?failure_class=untrusted")).json()) as {
      cases: WardCase[];
    };
    return cases[0];
  });
  const seen = await view(console, forged.case_id);
  expect(seen).toMatchObject({ original: null, repair: null, original_query: null, actions: ["discard"] });
  const path = `/v1/ward/cases/${forged.case_id}`;
  expect((await console.post(`${path}/check`, { payload: GOOD })).status).toBe(409);
  expect((await console.post(`${path}/release`, { payload: GOOD, why: "x" })).status).toBe(409);
  for (const [decision, more] of [
    ["release", {}],
    ["operate", {}],
    ["approve", {}],
    ["redirect", { agent: "con-spare" }],
  ] as const) {
    const answer = await console.post(`${path}/${decision}`, { why: "x", ...more });
    expect(answer.status, decision).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: "ward_decision_refused",
      detail: expect.stringMatching(/never verified.*discard/is),
    });
  }
  expect(await view(console, forged.case_id)).toMatchObject({
    case: { decision: null, version: seen.case.version },
  });
});

test("refuses to redirect a message to an agent that its team has not, or that takes another contract", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, version } = await console.admit(BAD);
  const path = `/v1/ward/cases/${case_id}/redirect`;
  const answer = await console.post(path, { why: "x", agent: "nobody" });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: "/agent", code: "unknown_agent" }] });
  // The same team as a newer release declares it.
  const ship = defineAgent("con-ship@1", {
    accepts: contract("con.parcel@1", z.object({ parcel_id: z.string() })),
    handle: (parcel, ctx) => ctx.complete(parcel),
  });
  const teams = [team("con-orders", [ship])];
  const redirect = checkRedirect({ store: console.store, teams }, { caseId: case_id, agent: "con-ship" });
  await expect(redirect).rejects.toMatchObject({ issues: [{ path: "/agent", code: "other_contract" }] });
  expect((await view(console, case_id)).case).toMatchObject({ decision: null, version });
});

test("shows on the case why a decision that was accepted could not be carried out", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id } = await console.admit(BAD);
  const key = console.store.keys.ward(`case:${case_id}`);
  const message = (await console.store.redis.hget(key, "message:1")) ?? "";
  // Only the surgeon holds the keys to see it.
  await console.store.redis.hset(key, "message:1", message.replaceAll("A-1", "A-2"));
  expect((await console.post(`/v1/ward/cases/${case_id}/release`, { why: "as it is" })).status).toBe(202);
  startRealSurgeon(console);
  const seen = await waitFor(async () => {
    const one = await view(console, case_id);
    return one.case.decision === null && one;
  });
  expect(seen.case.diagnosis).toContain("cannot be believed");
  expect(seen.audit[0]).toMatchObject({ action: "refuse", by: "surgeon@1" });
});

test("tries a recipe on held messages without touching them, and says which it heals and what speaks against it", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { note, ...rest } = GOOD;
  const { case_id, fingerprint } = await console.admit({ ...rest, remark: note });
  const recipe = { version: 1, operations: [{ op: "rename", path: "/remark", to: "note" }] };
  const at = "2026-01-01T00:00:00.000Z";
  const kept = { recipe_id: "r1", fingerprint, state: "trial", recipe, by: "model", at } as const;
  await console.recipes.put(kept);
  const attempt = async (operations: unknown, key: "operator" | "viewer" = "operator"): Promise<Response> =>
    console.post("/v1/recipes/r1/try", { recipe: { version: 1, operations } }, { key });
  expect(await (await attempt(recipe.operations)).json()).toEqual({
    proved: 1,
    failed: 0,
    idle: 0,
    messages: [{ case_id, result: "proved", objections: [] }],
    is_cut: false,
  });
  const invented = [
    { op: "delete", path: "/remark" },
    { op: "set_default", path: "/note", value: "made up" },
  ];
  expect(await (await attempt(invented)).json()).toMatchObject({
    failed: 1,
    messages: [
      {
        case_id,
        result: "failed",
        objections: expect.arrayContaining([expect.objectContaining({ path: "/note" })]),
      },
    ],
  });
  const elsewhere = [{ op: "rename", path: "/nowhere", to: "note" }];
  expect(await (await attempt(elsewhere)).json()).toMatchObject({ proved: 0, failed: 0, idle: 1 });
  expect((await attempt(recipe.operations, "viewer")).status).toBe(403);
  expect((await attempt([{ op: "eval", code: "1" }])).status).toBe(422);
  expect((await console.post("/v1/recipes/none/try", { recipe })).status).toBe(404);
  expect((await view(console, case_id)).case.version).toBe(1);
  expect(await console.recipes.find("r1")).toMatchObject({
    state: "trial",
    proofs: [],
    version: 1,
  });
});

test("refuses what was decided on something that has changed since, names who changed it, and does nothing", async () => {
  const console = await startTestConsole();
  await console.system.start({ circuitsEveryMs: 20 });
  const { fingerprint } = await console.admit(BAD);
  const recipe = { version: 1, operations: [{ op: "delete", path: "/surplus" }] };
  const at = "2026-01-01T00:00:00.000Z";
  await console.recipes.put({
    recipe_id: "r1",
    fingerprint,
    state: "trial",
    recipe,
    by: "model",
    at,
  });
  const refused = async (path: string, body: unknown): Promise<void> => {
    const answer = await console.post(path, body);
    expect(answer.status, path).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: "changed_meanwhile",
      detail: expect.stringContaining("olga"),
    });
  };
  const group = `/v1/ward/groups/${encodeURIComponent(fingerprint)}`;
  const key = "operator" as const;
  const { version } = (await (await console.send(group)).json()) as { version: number };
  expect((await console.post(`${group}/acknowledge`, { why: "", version }, { key })).status).toBe(200);
  await refused(`${group}/resolve`, { why: "mended", version });
  await console.recipes.change("r1", (present) => ({ ...present, state: "trusted" }), {
    by: "olga",
    action: "recipe.approve",
    why: "",
  });
  for (const action of ["approve", "retire"])
    await refused(`/v1/recipes/r1/${action}`, { why: "x", version: 1 });
  await refused("/v1/recipes/r1/edit", { recipe, why: "x", version: 1 });
  await waitFor(async () => console.store.circuits.find("con-book"));
  expect((await console.post("/v1/circuits/con-book/open", { why: "x", version: 0 }, { key })).status).toBe(
    200,
  );
  await refused("/v1/circuits/con-book/close", { why: "x", version: 0 });
  expect(await console.store.circuits.find("con-book")).toMatchObject({ state: "open", held_by: "olga" });
  expect(await console.recipes.find("r1")).toMatchObject({ state: "trusted", version: 2 });
  expect(await console.store.cases.groups.find(fingerprint)).toMatchObject({ lifecycle: "acknowledged" });
});

test("lists groups by need and by filters, and what became of each case of work on one", async () => {
  const console = await startTestConsole();
  await console.system.start();
  startRealSurgeon(console);
  const made = [
    await console.admit({ ...GOOD, order_id: null, surplus: "x" }),
    await console.admit({ ...GOOD, order_id: null, surplus: "y" }),
  ];
  const { fingerprint } = made[0] ?? { fingerprint: "" };
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 2);
  const list = async (query: string): Promise<{ groups: { attention: string; quarantined: number }[] }> =>
    (await console.send(`/v1/ward/groups?${query}`)).json() as Promise<never>;
  expect((await list("sort=need")).groups).toMatchObject([
    { fingerprint, attention: "waiting", quarantined: 2 },
  ]);
  expect(await list("attention=regressed")).toEqual({ groups: [], total: 0, is_cut: false });
  expect((await list("text=CON-BOOK&lifecycle=open")).groups.length).toBe(1);
  expect((await list("offset=1")).groups).toEqual([]);
  expect((await console.send("/v1/ward/groups?sort=luck")).status).toBe(422);
  const group = `/v1/ward/groups/${encodeURIComponent(fingerprint)}`;
  expect((await console.post("/v1/ward/groups/none/apply", { decision: "discard", why: "x" })).status).toBe(
    404,
  );
  const planned = await console.post(`${group}/apply`, { decision: "discard", why: "a test", canary: 1 });
  const { batch_id } = (await planned.json()) as { batch_id: string };
  const batch = async (): Promise<{ state: string; under_way: number; left_behind: number }> =>
    (await console.send(`/v1/ward/applies/${batch_id}`)).json() as Promise<never>;
  const results = async (): Promise<string[]> => {
    const answer = await console.send(`/v1/ward/applies/${batch_id}/cases`);
    return ((await answer.json()) as { cases: { result: string }[] }).cases.map(({ result }) => result);
  };
  await waitFor(async () => (await batch()).state === "planned");
  expect(await results()).toEqual(["not_yet", "not_yet"]);
  await console.post(`/v1/ward/applies/${batch_id}/start`, { why: "go" });
  await waitFor(async () => (await batch()).left_behind === 1);
  expect(await results()).toEqual(["ended", "not_yet"]);
  expect(await batch()).toMatchObject({ state: "look", under_way: 0 });
  const { audit } = (await (await console.send(group)).json()) as { audit: { action: string }[] };
  expect(audit.map(({ action }) => action)).toEqual(["group.start", "group.plan"]);
  expect((await console.send("/v1/ward/applies/none/cases")).status).toBe(404);
});
