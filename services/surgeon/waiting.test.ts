import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { HandlerOutcome, Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases, getCase, toWardCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import type { DecisionKind } from "#shared/ward/decisions";
import { openOperated, untilWaiting } from "../../tests/support/operate-on.ts";
import { findUnknown } from "./cases/case.ts";
import { openSurgeonTestSystem, Refund, repairWith } from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";

const Task = contract("task@1", z.strictObject({ n: z.int() }));

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const open = (own: Team): Promise<TestSystem> => openOperated(own, { store: { taskLifeMs: DAY_MS } });

const quarantined = (system: TestSystem, runId: string, after = -1): Promise<WardCase> =>
  untilWaiting(system, runId, ({ version }) => version > after);

const want = (system: TestSystem, { case_id }: WardCase, decision: DecisionKind) =>
  decide(system.store, { case_id, decision, by: "ada", why: "looked at it" });

/** An agent that notes how long the messages it handles have left, and fails at the first ones if it is told to. */
function noting({ failures = 0 } = {}) {
  const livesMs: number[] = [];
  let handled = 0;
  const last = agent("last@1", {
    accepts: Task,
    deliveriesMax: 1,
    handle: (_, ctx) => {
      handled += 1;
      if (handled <= failures) throw new Error("not today");
      const { expires_at, timestamp } = ctx.envelope.meta;
      livesMs.push(Date.parse(expires_at ?? "") - Date.parse(timestamp));
      return ctx.complete({});
    },
  });
  return { livesMs, team: team("noting", [last], { onLimit: { expired: "quarantine" } }) };
}

describe("a message that is in quarantine because it had expired", () => {
  it("says before a person decides that a release runs it now, with a fresh life, and then does", async () => {
    const { livesMs, team: own } = noting();
    const system = await open(own);
    const { runId } = await system.submit({ n: 1 }, { nowMs: Date.now() - DAY_MS, ttlMs: MINUTE_MS });
    const one = await quarantined(system, runId);
    expect(one).toMatchObject({ failure_class: "expired" });
    expect(one.diagnosis).toContain("A release runs it now, with a fresh life");
    await want(system, one, "release");
    expect((await system.until(runId)).status).toBe("completed");
    expect(livesMs).toEqual([DAY_MS]);
  });

  it("is not sent on by the surgeon, also when a person has it try again", async () => {
    const { livesMs, team: own } = noting();
    const system = await open(own);
    const { runId } = await system.submit({ n: 1 }, { nowMs: Date.now() - DAY_MS, ttlMs: MINUTE_MS });
    const one = await quarantined(system, runId);
    await want(system, one, "operate");
    const again = await quarantined(system, runId, one.version + 1);
    expect(again.diagnosis).toContain("A release runs it now, with a fresh life");
    expect(livesMs).toEqual([]);
  });
});

it("has no message rerouted by itself whose time was over when its agent rejected it", async () => {
  const ran: string[] = [];
  const asks = agent("asks@1", {
    accepts: Task,
    to: { unable: Task },
    handle: (task, ctx) => ctx.handoff("unable", task),
  });
  const unable = agent("unable@1", {
    accepts: Task,
    handle: async (_, ctx) => {
      await sleep(1500);
      return ctx.reject("not mine");
    },
  });
  const able = agent("able@1", {
    accepts: Task,
    handle: (_, ctx) => {
      ran.push("able");
      return ctx.complete({});
    },
  });
  const own = team("three", [asks, unable, able], { fallbacks: { "asks>unable": ["able"] } });
  const system = await open(own);
  const { runId } = await system.submit({ n: 1 }, { ttlMs: 1000 });
  const one = await quarantined(system, runId);
  expect(one.diagnosis).toContain("WARD_MESSAGE_EXPIRED");
  expect(ran).toEqual([]);
});

const QUERY = { user: { original_query: "Please refund order A-1234 for 3 seats." } };
const WHOLE = { order_id: "A-1234", seats: 3 };

async function admitOne(system: SurgeonTestSystem): Promise<{ runId: string; caseId: string }> {
  system.endpoint.answer = () => repairWith(WHOLE);
  await system.start();
  const { runId } = await system.submit({ order_id: "A-1234" }, QUERY);
  const { case_id } = await system.untilCase(runId, ({ status }) => status === "admitted");
  return { runId, caseId: case_id };
}

/** Waits until a surgeon has looked at the case and put it back. */
async function untilWaits(system: SurgeonTestSystem, caseId: string, why: RegExp): Promise<void> {
  await vi.waitFor(
    async () => {
      const one = toWardCase(await system.stored(caseId));
      expect(one).toMatchObject({ status: "admitted", operations: 0, cost: 0, diagnosis: null });
      expect(one.waits?.why).toMatch(why);
      expect(one.waits?.until_ms).toBeGreaterThan(0);
    },
    { timeout: 60_000 },
  );
}

describe("a message that this release cannot judge", () => {
  it("waits and says so where its team is not known, and is healed by who knows it", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, caseId } = await admitOne(system);
    const stranger = system.startSurgeon({ teams: [] });
    await untilWaits(system, caseId, /does not know its team \(help\)/);
    const audit = await system.store.cases.audit(caseId, 10);
    expect(audit[0]).toMatchObject({ action: "wait", why: expect.stringContaining("its team (help)") });
    expect(system.endpoint.questions).toEqual([]);
    await stranger.stop(0);
    system.startSurgeon();
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.handled).toEqual([WHOLE]);
    expect(toWardCase(await system.stored(caseId)).waits).toBeNull();
  });
});

describe("what a release knows", () => {
  const Answer = contract("desk.answer@2", z.strictObject({ text: z.string() }));
  const desk = agent("desk@2", {
    accepts: Refund,
    answers: [Answer],
    handle: (_input, ctx) => ctx.complete({}),
  });
  const surgery = { teams: [team("help", [desk])] };
  const record = {
    team: "help",
    agent: "desk",
    contract: "desk.refund@1",
    subject: { kind: "payload" as const },
    admitted_by: "desk@2",
  };
  const answer = { kind: "answer" as const, step: "s", text: "" };

  it.each([
    ["its own contract", {}, true],
    ["no contract at all", { contract: "" }, true],
    [
      "an older version that is gone: who gets it lifts it",
      { contract: "desk.answer@1", subject: answer },
      true,
    ],
    ["a newer version", { contract: "desk.refund@2" }, false],
    ["a name it never heard of", { contract: "desk.new@1" }, false],
    ["an answer's contract that its agent does not declare", { contract: "desk.x@1", subject: answer }, true],
    [
      "an answer's contract of a newer agent",
      { contract: "desk.x@1", subject: answer, admitted_by: "desk@3" },
      false,
    ],
    ["an answer of an agent it does not have", { contract: "a.x@1", subject: answer, agent: "a" }, false],
    ["another team", { team: "sales" }, false],
  ] as const)("%s", (_name, more, isKnown) => {
    expect(findUnknown(surgery, { ...record, ...more }) === null).toBe(isKnown);
  });
});

const Paid = contract("help.paid@1", z.strictObject({ receipt: z.string() }));

it("keeps a run whose result its team does not declare, until the agent is corrected; no effect is repeated", async () => {
  let isCorrected = false;
  let payments = 0;
  const desk = agent("desk@1", {
    accepts: Refund,
    // Its type hides the bug from the compiler.
    handle: async (_input, ctx): Promise<HandlerOutcome> => {
      const receipt = await ctx.once("pay", async () => `receipt ${(payments += 1)}`);
      return ctx.complete(isCorrected ? { receipt } : { reciept: receipt });
    },
  });
  const system = createTestSystem(team("help", [desk], { result: Paid }));
  const surgery = await openSurgeonTestSystem();
  await system.start();
  surgery.startSurgeon({ store: system.store, keyring: system.keyring, teams: [system.team] });
  const run = await system.run({ order_id: "A-1234", seats: 2 }, {}, ["quarantined"]);
  expect(run.result).toBeNull();
  const { cases } = await findCases(system.store, { filter: { run_id: run.run_id }, limit: 5 });
  const [{ case_id } = { case_id: "" }] = cases;
  expect(JSON.stringify(await getCase(system.store, case_id))).toContain("RESULT_INVALID");
  isCorrected = true;
  await decide(system.store, { case_id, decision: "release", by: "ada", why: "the agent is corrected" });
  const ended = await system.until(run.run_id);
  expect(ended).toMatchObject({ status: "completed", result: { receipt: "receipt 1" } });
  expect(payments).toBe(1);
});
