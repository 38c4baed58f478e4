import { expect, test } from "vitest";
import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createWorld } from "#shared/testing";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

const NAME = "Zoë Öhmsdottir";
const IBAN = "DE89 3704 0044 0532 0130 00";

const Visit = contract(
  "cli.visit@1",
  z.strictObject({
    patient: sensitive(z.string().min(1)),
    account: sensitive(z.string().min(10)),
    beds: z.int(),
    lines: z.array(sensitive(z.string())).default([]),
  }),
);
const visits = agent("cli-visit@1", { accepts: Visit, handle: (_visit, ctx) => ctx.complete({}) });

const startClinic = (): Promise<TestConsole> =>
  startTestConsole({}, [], createWorld(team("clinic", [visits])));

/** Its form is wrong in one place, and it says the same in others. */
const LETTER = {
  patient: NAME,
  account: IBAN,
  beds: `two, for ${NAME}`,
  kontonummer: IBAN,
  lines: ["at night"],
};
const LEAK = /Öhmsdottir|3704|at night/;

test("shows nobody on any page what a contract marks as sensitive, wherever it was copied to", async () => {
  const console = await startClinic();
  await console.world.start();
  const { case_id, fingerprint } = await console.admit(LETTER);
  const path = `/api/v1/ward/cases/${case_id}`;
  for (const key of ["viewer", "operator", "admin"] as const) {
    const texts = [
      await (await console.send(path, { key })).text(),
      await (await console.post(`${path}/check`, { payload: { ...LETTER, beds: 2 } }, { key })).text(),
      await (await console.send("/api/v1/ward/cases", { key })).text(),
      await (await console.send(`/api/v1/ward/groups/${encodeURIComponent(fingerprint)}`, { key })).text(),
      await (await console.send("/api/v1/audit", { key })).text(),
    ];
    for (const text of texts) expect(text).not.toMatch(LEAK);
    expect(texts[0]).toContain("[sensitive]");
  }
});

test("puts masked values back where a person left them, and refuses a mask anywhere else", async () => {
  const console = await startClinic();
  await console.world.start();
  const { case_id } = await console.admit({ patient: NAME, account: IBAN, beds: "two" });
  const check = async (payload: unknown): Promise<unknown> =>
    (await console.post(`/api/v1/ward/cases/${case_id}/check`, { payload }, { key: "operator" })).json();
  const left = { patient: "[sensitive]", account: "[sensitive]", beds: 2, lines: [] };
  expect(await check(left)).toMatchObject({ issues: [] });
  expect(await check({ ...left, patient: "[sensitive] junior" })).toMatchObject({
    acceptable: false,
    issues: [{ path: "/patient", code: "masked_secret" }],
  });
});

test("reveals a case to admins alone, by a request that changes nothing else, and writes down who, when and why", async () => {
  const console = await startClinic();
  await console.world.start();
  const { case_id } = await console.admit(LETTER);
  const path = `/api/v1/ward/cases/${case_id}/reveal`;
  for (const key of ["viewer", "operator", "submit"] as const)
    expect((await console.post(path, { why: "curious" }, { key })).status).toBe(403);
  expect((await console.send(path)).status).toBe(405);
  expect((await console.post(path, {})).status).toBe(422);
  const revealed = await (await console.post(path, { why: "the patient called" })).text();
  expect(revealed).toMatch(/Öhmsdottir/);
  const audit = await console.store.cases.audit(null, 100);
  expect(audit.filter(({ action }) => action === "case.reveal")).toMatchObject([
    { case_id, by: "ada", why: "the patient called" },
  ]);
});

const READ = [
  "/api/queues/cli-visit/x",
  "/api/queues/cli-visit/x/logs",
  "/api/queues/cli-visit/x/flow",
  "/api/queues/cli-visit/metrics",
  "/api/queues/cli-visit/workers",
  "/api/queues/cli-visit/rate-limit",
  "/api/queues/cli-visit/default-job-options",
  "/api/queues/cli-visit/job-data-schema",
  "/api/job-schedulers",
  "/api/redis/stats",
];
const WRITE = [
  ["PUT", "/api/queues/pause"],
  ["PUT", "/api/queues/resume"],
  ["POST", "/api/queues/cli-visit/add"],
  ["PUT", "/api/queues/cli-visit/retry/failed"],
  ["PUT", "/api/queues/cli-visit/promote"],
  ["PUT", "/api/queues/cli-visit/clean/failed"],
  ["PUT", "/api/queues/cli-visit/pause"],
  ["PUT", "/api/queues/cli-visit/resume"],
  ["PUT", "/api/queues/cli-visit/empty"],
  ["PUT", "/api/queues/cli-visit/obliterate"],
  ["PUT", "/api/queues/cli-visit/x/retry"],
  ["PUT", "/api/queues/cli-visit/x/clean"],
  ["PUT", "/api/queues/cli-visit/x/promote"],
  ["PUT", "/api/queues/cli-visit/concurrency"],
  ["PUT", "/api/queues/cli-visit/rate-limit"],
  ["PUT", "/api/queues/cli-visit/rate-limit/release"],
  ["PUT", "/api/queues/cli-visit/job-schedulers/s/remove"],
  ["PATCH", "/api/queues/cli-visit/job-schedulers/s"],
  ["PUT", "/api/queues/cli-visit/job-schedulers/s/run"],
  ["PATCH", "/api/queues/cli-visit/x/delay"],
  ["PATCH", "/api/queues/cli-visit/x/priority"],
  ["PUT", "/api/queues/cli-visit/x/remove-unprocessed-children"],
  ["PATCH", "/api/queues/cli-visit/x/update-data"],
  ["DELETE", "/api/queues/cli-visit/x"],
] as const;

test("shows viewers the queues and their counts, and no job", async () => {
  const console = await startClinic();
  const { envelope } = await console.world.submit(LETTER, { user: { original_query: `Visit ${NAME}` } });
  const list = "/queues/api/queues?activeQueue=cli-visit&status=latest&page=1&jobsPerPage=10";
  const seen = await (await console.send(list, { key: "viewer" })).text();
  expect(JSON.parse(seen)).toMatchObject({
    queues: expect.arrayContaining([
      expect.objectContaining({
        name: "cli-visit",
        counts: expect.objectContaining({ waiting: 1 }),
        jobs: [],
      }),
    ]),
  });
  expect(seen).not.toContain(envelope.meta.message_id);
  expect((await console.send("/queues", { key: "viewer" })).status).toBe(200);
  for (const path of READ)
    expect((await console.send(`/queues${path}`, { key: "viewer" })).status, path).toBe(403);
});

test("shows operators and admins jobs with what is sensitive masked, and without conversations", async () => {
  const console = await startClinic();
  const { envelope } = await console.world.submit(LETTER, { user: { original_query: `Visit ${NAME}` } });
  const id = envelope.meta.message_id;
  for (const key of ["operator", "admin"] as const) {
    for (const path of [
      "/queues/api/queues?activeQueue=cli-visit&status=latest&page=1&jobsPerPage=10",
      `/queues/api/queues/cli-visit/${id}`,
      `/queues/api/queues/cli-visit/${id}/flow`,
    ]) {
      const text = await (await console.send(path, { key })).text();
      expect(text, path).not.toMatch(LEAK);
      if (!path.endsWith("flow")) expect(text, path).toMatch(/\[sensitive\]/);
    }
  }
});

test("takes no write from anybody at the queue board: a removed job would be a lost message", async () => {
  const console = await startClinic();
  const { envelope } = await console.world.submit({ patient: NAME, account: IBAN, beds: 2 });
  for (const key of ["viewer", "operator", "admin"] as const) {
    for (const [method, path] of WRITE) {
      const address = `/queues${path.replace("/x", `/${envelope.meta.message_id}`)}`;
      expect([403, 404], `${key} ${method} ${path}`).toContain(
        (await console.send(address, { method, key })).status,
      );
    }
  }
  const queue = console.store.queues.of("cli-visit", "fresh");
  expect(await queue.getJobCounts("waiting")).toMatchObject({ waiting: 1 });
  expect(await queue.isPaused()).toBe(false);
});
