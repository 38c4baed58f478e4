import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { toWardCase } from "#shared/ward";
import { findUnknown } from "./cases/read-message.ts";
import { openSurgeonTestSystem, Refund, repairWith } from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";

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
