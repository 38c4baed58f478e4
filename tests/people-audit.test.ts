import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { getCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { ROUTES } from "../services/console/api/routes.ts";
import { SECRETS, startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "./support/operate-on.ts";
import { runCli } from "./support/run-cli.ts";
import type { CliAnswer } from "./support/run-cli.ts";

const DEEDS = 6;

/** A console whose people have paused and resumed, so many times. */
async function openWithDeeds(count = DEEDS): Promise<TestConsole> {
  const console = await startTestConsole();
  await act(console, count);
  return console;
}

async function act(console: TestConsole, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const action = n % 2 === 0 ? "pause" : "resume";
    const why = `reason ${n}`;
    expect((await console.post(`/v1/queues/con-book/${action}`, { why })).status).toBe(200);
  }
}

function audit(console: TestConsole, ...args: readonly string[]): Promise<CliAnswer> {
  return runCli(["audit", ...args, "--console-url", console.url, "--key", SECRETS.viewer]);
}

async function headOf(console: TestConsole): Promise<string> {
  const { stdout } = await audit(console, "verify");
  return /Head (\d+:[0-9a-f]{64})/.exec(stdout)?.[1] ?? "none";
}

/** Redis keys of the records, for anybody who may write there. */
const places = ({ store: { keys } }: TestConsole) => ({
  records: keys.people("records"),
  head: keys.people("head"),
});

test("writes down every change that people ask for, before it is done, and what was refused of it", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id } = await console.admit({ order_id: 1, amount: "many" });
  const path = `/v1/ward/cases/${case_id}`;
  await console.post(`${path}/discard`, { why: "spam" }, { key: "operator" });
  await console.post(`${path}/discard`, { why: "spam" }, { key: "phone" });
  await console.post(`${path}/release`, { why: "fine", payload_text: '{"password":"hunter2"}' });
  const secret = `sk-${"a".repeat(48)}`;
  await console.post("/v1/queues/con-book/pause", { why: `with ${secret}` });
  expect((await console.post("/v1/queues/con-book/pause", {}, { key: "viewer" })).status).toBe(403);
  const { stdout, code } = await audit(console, "export");
  expect(code).toBe(0);
  const records = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = records.map(({ number, by, person, action, detail }) => [number, by, person, action, detail]);
  expect(told).toEqual([
    [1, "olga", "olga", "case.discard", { case_id }],
    [2, "ada-phone", "ada", "case.discard", { case_id }],
    [3, "ada-phone", "ada", "refused", { action: "case.discard", record: 2, code: "WARD_DECISION_REFUSED" }],
    [4, "ada", "ada", "case.release", { case_id, payload_text: expect.stringMatching(/^sha256:/) }],
    [5, "ada", "ada", "refused", { action: "case.release", record: 4, code: expect.any(String) }],
    [6, "ada", "ada", "queue.pause", { agent: "con-book" }],
  ]);
  expect(stdout).not.toMatch(/hunter2|sk-aaa/);
  expect(await audit(console, "verify")).toMatchObject({ code: 0, stderr: "" });
});

test("has every operation that changes something written down, but those that change nothing of the system", () => {
  const silent = ROUTES.filter(({ method, operation }) => method !== "GET" && operation.audit === undefined);
  const ids = silent.map(({ operation }) => operation.id);
  expect(ids.toSorted()).toEqual(["checkPayload", "logIn", "logOut", "tryRecipe"]);
});

test("verifies what nobody touched, and exports it as it is stored", async () => {
  const console = await openWithDeeds();
  expect(await audit(console, "verify")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("6 records are as they were written."),
  });
  const since = await headOf(console);
  await act(console, 2);
  expect(await audit(console, "verify", "--since", since)).toMatchObject({ code: 0 });
  const out = join(temporaryFolder(), "audit.jsonl");
  expect((await audit(console, "export", "--out", out)).code).toBe(0);
  const lines = (await readFile(out, "utf8")).trim().split("\n");
  const { audit: log } = (await (await console.send("/v1/audit?limit=200")).json()) as { audit: object[] };
  expect(log.filter((line) => "action" in line && line.action === "audit.read").length).toBeGreaterThan(0);
  expect(lines).toEqual(await console.store.redis.lrange(places(console).records, 0, -1));
  expect((await audit(console, "verify", "--since", "nonsense")).code).toBe(2);
});

type Attack = (console: TestConsole) => Promise<unknown>;

const edited = (text: string, change: object): string =>
  JSON.stringify({ ...(JSON.parse(text) as object), ...change });

const ATTACKS: readonly (readonly [name: string, says: RegExp, attack: Attack])[] = [
  [
    "a record is edited",
    /^Record 3: it is not the record that the next one was written behind\./,
    async (console) => {
      const { records } = places(console);
      const text = (await console.store.redis.lindex(records, 2)) ?? "";
      await console.store.redis.lset(records, 2, edited(text, { by: "olga" }));
    },
  ],
  [
    "a record is taken out",
    /^Record 3: it is missing\./,
    async (console) => {
      const { records } = places(console);
      const text = (await console.store.redis.lindex(records, 2)) ?? "";
      await console.store.redis.lrem(records, 1, text);
    },
  ],
  [
    "the front is cut off",
    /^Record 1: records 1 to 2 are missing\./,
    (console) => console.store.redis.ltrim(places(console).records, 2, -1),
  ],
  [
    "the end is cut off",
    /^Record 5: records 5 to 6 are missing\./,
    (console) => console.store.redis.ltrim(places(console).records, 0, 3),
  ],
  [
    "the head says something else",
    /^Record 6: what is noted of the last record is older\./,
    async (console) => {
      const { head } = places(console);
      const text = (await console.store.redis.get(head)) ?? "";
      await console.store.redis.set(head, edited(text, { count: 5 }));
    },
  ],
];

test.each(ATTACKS)("names the first record where %s", async (_name, says, attack) => {
  const console = await openWithDeeds();
  await attack(console);
  const { code, stdout } = await audit(console, "verify");
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(says) });
});

test("notices an end that is cut off with its own head put back, by a head that was noted", async () => {
  const console = await openWithDeeds(4);
  const { records, head } = places(console);
  const before = (await console.store.redis.get(head)) ?? "";
  await act(console, 2);
  const since = await headOf(console);
  await console.store.redis.ltrim(records, 0, 3);
  await console.store.redis.set(head, before);
  expect(await audit(console, "verify", "--since", since)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Record 5: records 5 to 6 are missing\./),
  });
});

test("holds the records against an export that was kept", async () => {
  const console = await openWithDeeds(4);
  const { records, head } = places(console);
  const before = (await console.store.redis.get(head)) ?? "";
  await act(console, 2);
  const file = join(console.folder, "kept.jsonl");
  expect((await audit(console, "export", "--out", file)).code).toBe(0);
  // Four records and their own genuine head.
  await console.store.redis.ltrim(records, 0, 3);
  await console.store.redis.set(head, before);
  const other = await startTestConsole({}, [], console.system);
  expect(await audit(other, "verify")).toMatchObject({ code: 0 });
  expect(await audit(other, "verify", "--against", file)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Record 5: records 5 to 6 are missing\./),
  });
  await act(other, 3);
  expect(await audit(other, "verify", "--against", file)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Record 6: it is another record than was noted\./),
  });
  await writeFile(file, "nonsense\n");
  expect((await audit(other, "verify", "--against", file)).code).toBe(2);
});

test("keeps one chain while two consoles write into it at once", async () => {
  const one = await startTestConsole();
  const other = await startTestConsole({}, [], one.system);
  await Promise.all([act(one, 20), act(other, 20)]);
  const said = await audit(one, "verify");
  expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/^40 records/) });
});

test("keeps every record of people while 20,000 messages of a compromised agent flood the ward", async () => {
  const console = await openWithDeeds();
  const before = await console.store.redis.lrange(places(console).records, 0, -1);
  const { redis, keys, cases } = console.store;
  // Ever more messages of the same agent are admitted; what the ward notes of them is written as its scripts write it.
  const entry = { case_id: "c", at: "2026-01-01T00:00:00.000Z", by: "con-book@1", action: "admit", why: "x" };
  for (let n = 0; n < 20_000; n += 500)
    await Promise.all(Array.from({ length: 500 }, () => cases.note({ ...entry, detail: {} })));
  expect(await redis.llen(keys.ward("audit"))).toBeLessThanOrEqual(10_000);
  expect(await redis.lrange(places(console).records, 0, -1)).toEqual(before);
  expect(await audit(console, "verify")).toMatchObject({ code: 0 });
});

const MESSAGE = { order_id: "A-1", amount: 12.5, note: "a lamp", account: 1 };
const WANTED = { ...MESSAGE, account: "DE-4711" };

/** A case with a change of an account that waits for a second person. */
async function propose(
  by: keyof typeof SECRETS | { readonly cookie: string } = "admin",
  console?: TestConsole,
): Promise<{ console: TestConsole; one: WardCase }> {
  const at = console ?? (await startTestConsole());
  if (console === undefined) {
    await at.system.start();
    startRealSurgeon(at);
  }
  const { case_id } = await at.admit(MESSAGE);
  await waitFor(async () => (await getCase(at.store, case_id)).status === "quarantined");
  const body = { payload: WANTED, why: "new account" };
  const sent = await at.post(`/v1/ward/cases/${case_id}/release`, body, senderOf(by, at));
  expect(sent.status).toBe(202);
  const one = await waitFor(async () => {
    const found = await getCase(at.store, case_id);
    return found.decision === null && found.proposal !== null && found;
  });
  return { console: at, one };
}

function senderOf(
  by: keyof typeof SECRETS | { readonly cookie: string },
  { url }: TestConsole,
): NonNullable<Parameters<TestConsole["post"]>[2]> {
  return typeof by === "string" ? { key: by } : { key: null, headers: { cookie: by.cookie, origin: url } };
}

async function logInByLink(console: TestConsole): Promise<{ cookie: string }> {
  const token = await console.offerLink();
  const answer = await console.post("/v1/session", { token }, { key: null });
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "" };
}

const approve = (
  console: TestConsole,
  { case_id }: WardCase,
  by: keyof typeof SECRETS | { readonly cookie: string },
): Promise<Response> =>
  console.post(`/v1/ward/cases/${case_id}/approve`, { why: "checked" }, senderOf(by, console));

test("lets a change that takes two people go on by two people, whoever comes first", async () => {
  const { console, one } = await propose("operator");
  expect((await approve(console, one, "phone")).status).toBe(202);
  expect((await console.system.until(one.run_id)).result).toMatchObject({ booked: "A-1" });
});

test("counts two keys of one person, and whoever comes by a login link, as no second person", async () => {
  const { console, one } = await propose("admin");
  for (const by of ["admin", "phone", await logInByLink(console)] as const) {
    const answer = await approve(console, one, by);
    expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
      status: 409,
      detail: expect.stringContaining("another one"),
    });
  }
  expect((await approve(console, one, "operator")).status).toBe(202);
  const link = await logInByLink(console);
  const { one: second } = await propose(link, console);
  expect((await approve(console, second, "operator")).status).toBe(409);
});

test("counts a key that somebody made for the purpose as no second person, nor as a first", async () => {
  const { console, one } = await propose("admin");
  const asked = { name: "helpful", scope: "operator", why: "a second pair of eyes" };
  const made = await console.post("/v1/api-keys", asked);
  expect(made.status).toBe(201);
  const { secret } = (await made.json()) as { secret: string };
  const made_by_admin = { key: null, headers: { authorization: `Bearer ${secret}` } };
  const approval = () =>
    console.post(`/v1/ward/cases/${one.case_id}/approve`, { why: "checked" }, made_by_admin);
  await expect.poll(async () => (await approval()).status).toBe(409);
  expect((await approve(console, one, "operator")).status).toBe(202);
});

test("refuses an approval of another change than the one that was looked at", async () => {
  const { console, one } = await propose("admin");
  const path = `/v1/ward/cases/${one.case_id}/approve`;
  const body = { why: "checked", proposal: "0".repeat(64) };
  expect((await console.post(path, body, { key: "operator" })).status).toBe(409);
});
