import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import type { DecisionKind } from "#shared/ward/decisions";
import { BRISK, operateOn } from "../../tests/support/operate-on.ts";

const Task = contract("task@1", z.strictObject({ n: z.int() }));

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

async function open(own: Team, taskLifeMs = DAY_MS): Promise<TestSystem> {
  const system = createTestSystem(own, { store: { taskLifeMs } });
  await system.start();
  operateOn(system, BRISK);
  return system;
}

function quarantined(system: TestSystem, runId: string, after = -1): Promise<WardCase> {
  return vi.waitFor(async () => {
    const { cases } = await findCases(system.store, { filter: { run_id: runId }, limit: 5 });
    const found = cases.find(
      ({ status, decision, version }) => status === "quarantined" && decision === null && version > after,
    );
    if (found === undefined) throw new Error(`no such case: ${JSON.stringify(cases)}`);
    return found;
  }, 60_000);
}

const want = (system: TestSystem, { case_id }: WardCase, decision: DecisionKind) =>
  decide(system, { case_id, decision, by: "ada", why: "looked at it" });

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
