import { expect, test } from "vitest";
import { z } from "zod";
import { uuidv7 } from "#shared/clock";
import { contract, sensitive } from "#shared/contract";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { seal } from "#shared/envelope/seals";
import { agent, edgesOf, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { evidenceOf, firstAid } from "#shared/repair";
import { findCases } from "#shared/ward";
import { maskOf } from "./masking/masks.ts";
import { startTestConsole, waitFor } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";
import { showEvidence } from "./ward/view-case.ts";

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
const visits = agent("cli-visit@1", {
  accepts: Visit,
  handle: (visit, ctx) => ctx.complete({ seen: visit.patient }),
});

const startClinic = (bounds = {}): Promise<TestConsole> =>
  startTestConsole(bounds, [], createTestSystem(team("clinic", [visits])));

/** Its form is wrong in one place, and it says the same in others. */
const MESSAGE = {
  patient: NAME,
  account: IBAN,
  beds: `two, for ${NAME}`,
  kontonummer: IBAN,
  lines: ["at night"],
};
const NO_SOURCES = { original_query: "", history: [], input: undefined };
const LEAK = /Öhmsdottir|3704 ?0044|at night/;

test("shows nobody on any page what a contract marks as sensitive, wherever it was copied to", async () => {
  const console = await startClinic();
  await console.system.start();
  const { case_id, fingerprint, run_id } = await console.admit(MESSAGE);
  const path = `/v1/ward/cases/${case_id}`;
  for (const key of ["viewer", "operator", "admin"] as const) {
    const texts = [
      await (await console.send(path, { key })).text(),
      await (await console.post(`${path}/check`, { payload: { ...MESSAGE, beds: 2 } }, { key })).text(),
      await (await console.send("/v1/ward/cases", { key })).text(),
      await (await console.send(`/v1/ward/groups/${encodeURIComponent(fingerprint)}`, { key })).text(),
      await (await console.send("/v1/audit", { key })).text(),
      await (await console.send(`/v1/runs/${run_id}?include=events`, { key })).text(),
    ];
    for (const text of texts) expect(text).not.toMatch(LEAK);
    expect(texts[0]).toContain("[sensitive]");
  }
});

test("shows the pieces that first aid read, but none of a sensitive field and nothing that it did not use", () => {
  const schema = {
    type: "object",
    properties: {
      patient: { type: "string", "x-sensitive": true },
      born: { type: "string", format: "date", "x-sensitive": true },
      beds: { type: "integer" },
      room: { type: "string" },
    },
    required: ["patient", "beds"],
    additionalProperties: false,
  };
  const text = `{'patient': '${NAME}', 'born': '5 March 1980', 'beds': "2", 'room': "for ${NAME}", 'also': 'Carl', 'Dora': 7}`;
  const aided = firstAid(text, schema);
  if (!aided.ok) throw new Error(aided.reason);
  const evidence = evidenceOf(text, aided, schema);
  const subject = { text, value: undefined, schema, contractId: "", check: undefined, sources: NO_SOURCES };
  const mask = maskOf(subject, { values: [aided.value], input: null });
  const shown = showEvidence(evidence, { text, value: mask.payload(aided.value), mask });
  expect(shown).toEqual({
    values: [
      { path: "/patient", rules: ["as_written"], piece: "[sensitive]" },
      { path: "/born", rules: ["text_to_date"], piece: "[sensitive]" },
      { path: "/beds", rules: ["text_to_number"], piece: "2" },
      { path: "/room", rules: ["as_written"], piece: "for [sensitive]" },
    ],
    unused: [
      { name: "[sensitive]", reason: "not_declared", piece: "[sensitive]" },
      { name: "[sensitive]", reason: "not_declared", piece: "[sensitive]" },
    ],
  });
  // A piece that would cut a sensitive value in two shows neither half.
  const start = text.lastIndexOf(NAME) - 4;
  const half = { values: [{ path: "/room", rules: [], spans: [{ start, end: start + 8 }] }], unused: [] };
  const cut = showEvidence(half, { text, value: mask.payload(aided.value), mask });
  expect(cut.values).toEqual([{ path: "/room", rules: [], piece: "[sensitive]" }]);
});

test("puts masked values back where a person left them, and refuses a mask anywhere else", async () => {
  const console = await startClinic();
  await console.system.start();
  const { case_id } = await console.admit({ patient: NAME, account: IBAN, beds: "two" });
  const check = async (payload: unknown): Promise<unknown> =>
    (await console.post(`/v1/ward/cases/${case_id}/check`, { payload }, { key: "operator" })).json();
  const left = { patient: "[sensitive]", account: "[sensitive]", beds: 2, lines: [] };
  expect(await check(left)).toMatchObject({ issues: [] });
  expect(await check({ ...left, patient: "[sensitive] junior" })).toMatchObject({
    acceptable: false,
    issues: [{ path: "/patient", code: "masked_secret" }],
  });
});

test("reveals a case by a request that changes nothing else, and writes down who, when and why", async () => {
  const console = await startClinic();
  await console.system.start();
  const { case_id } = await console.admit(MESSAGE);
  const path = `/v1/ward/cases/${case_id}/reveal`;
  expect((await console.send(path)).status).toBe(405);
  expect((await console.post(path, {})).status).toBe(422);
  const revealed = await (await console.post(path, { why: "the patient called" })).text();
  expect(revealed).toMatch(/Öhmsdottir/);
  const audit = await console.store.cases.audit(null, 100);
  expect(audit.filter(({ action }) => action === "case.reveal")).toMatchObject([
    { case_id, by: "ada", why: "the patient called" },
  ]);
});

test("reveals one place of a case where one is named, and says in the signed record which", async () => {
  const console = await startClinic();
  await console.system.start();
  const { case_id } = await console.admit(MESSAGE);
  const path = `/v1/ward/cases/${case_id}/reveal`;
  const revealed = await (await console.post(path, { why: "to call back", path: "/patient" })).text();
  expect(revealed).toMatch(/Öhmsdottir/);
  expect(revealed).not.toMatch(/3704 ?0044|at night/);
  expect(await (await console.post(path, { why: "no such", path: "/nothing" })).text()).not.toMatch(LEAK);
  expect((await console.post(path, { why: "no pointer", path: "patient" })).status).toBe(422);
  const records = await (await console.send("/v1/audit/people?limit=10")).text();
  expect(records).not.toMatch(LEAK);
  expect(JSON.parse(records)).toMatchObject({
    records: expect.arrayContaining([
      expect.objectContaining({
        record: expect.objectContaining({
          action: "case.reveal",
          by: "ada",
          why: "to call back",
          detail: { case_id, path: "/patient" },
        }),
      }),
    ]),
  });
});

test("shows a message that never verified to nobody without a reveal", async () => {
  const console = await startClinic();
  await console.system.start();
  const { envelope } = await console.system.submit({ patient: NAME, account: IBAN, beds: 2 });
  const stranger = issueKeyring({
    master: createMaster(),
    agent: "gateway",
    edges: edgesOf([console.system.team]),
  });
  const forged = { ...envelope, meta: { ...envelope.meta, message_id: uuidv7() } };
  const { message } = seal({
    envelope: forged,
    queue: "cli-visit",
    key: stranger.signing("gateway", "cli-visit"),
  });
  const job = { lane: "fresh", agent: "cli-visit", jobId: forged.meta.message_id, delayMs: 0 } as const;
  await console.system.store.queues.add({ ...job, data: { ...message }, priority: "normal" });
  const { case_id } = await waitFor(
    async () =>
      (await findCases(console.system.store, { filter: { agent: "cli-visit" }, limit: 1 })).cases[0],
  );
  for (const key of ["viewer", "operator", "admin"] as const)
    expect(await (await console.send(`/v1/ward/cases/${case_id}`, { key })).text()).not.toMatch(LEAK);
  const path = `/v1/ward/cases/${case_id}/reveal`;
  expect(await (await console.post(path, { why: "who sends this?" })).text()).toMatch(LEAK);
});

test("reveals what a run came to, and writes that down first", async () => {
  const console = await startClinic();
  await console.system.start();
  const { runId } = await console.system.submit({ patient: NAME, account: IBAN, beds: 2 });
  await console.system.until(runId);
  const path = `/v1/runs/${runId}/reveal`;
  expect((await console.post(path, {})).status).toBe(422);
  const revealed = await console.post(path, { why: "the patient called" });
  expect(await revealed.json()).toMatchObject({ run_id: runId, result: { seen: NAME } });
  const audit = await console.store.cases.audit(null, 100);
  expect(audit.filter(({ action }) => action === "run.reveal")).toMatchObject([
    { by: "ada", why: "the patient called", detail: { run_id: runId } },
  ]);
});

test("reveals nothing where it cannot be written down, nor more often in an hour than is set", async () => {
  const console = await startClinic({ revealsPerHour: 2 });
  await console.system.start();
  const { case_id } = await console.admit(MESSAGE);
  const path = `/v1/ward/cases/${case_id}/reveal`;
  const reveal = (key: "admin" | "phone") => console.post(path, { why: "asked" }, { key });
  await console.store.redis.set(console.store.keys.people("records"), "no list");
  const refused = await reveal("admin");
  expect(refused.ok).toBe(false);
  expect(await refused.text()).not.toMatch(LEAK);
  await console.store.redis.del(console.store.keys.people("records"));
  expect((await reveal("admin")).status).toBe(200);
  expect((await reveal("admin")).status).toBe(200);
  const third = await reveal("admin");
  expect([third.status, third.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await third.text()).not.toMatch(LEAK);
});
