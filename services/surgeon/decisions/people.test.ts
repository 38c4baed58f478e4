import { describe, expect, it, vi } from "vitest";
import { orderPause } from "#shared/people";
import { agent, team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { findCases, getCase, toWardCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { verifyDischarge } from "#shared/ward/moves";
import { startSurgeon } from "../start-surgeon.ts";
import { openSurgeonTestSystem, Refund, openSurgeonAtWork } from "../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../testing/surgeon-test-system.ts";

const BROKEN = { order_id: "A-1234" };

async function quarantineOne(
  system: SurgeonTestSystem,
  payload: unknown = BROKEN,
): Promise<{ runId: string; one: WardCase }> {
  await system.start();
  system.startSurgeon();
  const { runId } = await system.submit(payload);
  return { runId, one: await system.untilCase(runId, (found) => found.status === "quarantined") };
}

async function untilDecided(system: SurgeonTestSystem, caseId: string): Promise<WardCase> {
  return vi.waitFor(async () => {
    const one = toWardCase(await system.stored(caseId));
    expect(one.decision).toBeNull();
    return one;
  }, 5000);
}

describe("what people decide", () => {
  it("releases a case with a person's value, and says when the run went on", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, one } = await quarantineOne(system);
    const payload = JSON.stringify({ order_id: "A-1234", seats: 9 });
    await system.decide(one.case_id, "release", { why: "phoned", payload });
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.handled).toEqual([{ order_id: "A-1234", seats: 9 }]);
    const detail = await getCase(system.store, one.case_id);
    expect(detail).toMatchObject({ status: "released", messages: 1, closed_ms: expect.any(Number) });
    expect(detail.history.at(-1)?.attempts[0]).toMatchObject({ procedure: "person", reason: "phoned" });
    expect(await verifyDischarge(system.store, { caseId: one.case_id, messages: 1 })).toBe("went_on");
    const audit = await system.store.cases.audit(one.case_id, 20);
    expect(audit.filter((entry) => entry.by === "ada").map((entry) => entry.action)).toEqual([
      "released",
      "decide.release",
    ]);
    // Nothing without a word: the value was this message's own.
    const [said] = audit.filter(({ action }) => action === "recipe.none");
    expect(said?.why).toMatch(/needs a value of this very message/);
  });

  it("says what it learned of a person's repair, with the recipe", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, one } = await quarantineOne(system, { bestellung: "A-1234", seats: 9 });
    const payload = JSON.stringify({ order_id: "A-1234", seats: 9 });
    await system.decide(one.case_id, "release", { why: "renamed", payload });
    expect((await system.until(runId)).status).toBe("completed");
    const [recipe] = await system.recipes.of(one.fingerprint);
    const audit = await system.store.cases.audit(one.case_id, 20);
    const [learned] = audit.filter(({ action }) => action === "recipe.learn");
    expect(learned?.detail).toMatchObject({ recipe_id: recipe?.recipe_id, state: "trial" });
  });

  it("refuses a person's value that breaks the contract, and keeps the case", async () => {
    const system = await openSurgeonTestSystem();
    const { one } = await quarantineOne(system);
    const payload = JSON.stringify({ order_id: "A-1234", seats: 5000 });
    await system.decide(one.case_id, "release", { payload });
    const left = await untilDecided(system, one.case_id);
    expect(left.status).toBe("quarantined");
    expect(left.diagnosis).toContain("/seats");
    expect(system.handled).toEqual([]);
  });

  it("refuses a person's value that has a name twice, before it is decided", async () => {
    const system = await openSurgeonTestSystem();
    const { one } = await quarantineOne(system);
    const payload = '{"order_id":"A-1234","seats":2,"s\\u0065ats":3}';
    const release = { case_id: one.case_id, decision: "release", by: "ada", why: "", payload } as const;
    await expect(decide(system.store, release)).rejects.toThrow(/a name twice/);
  });

  it("lets a change that needs two people wait for another name", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, one } = await quarantineOne(system, { order_id: "A-1234", account: "DE111" });
    const value = { order_id: "A-1234", seats: 2, account: "DE222" };
    const payload = JSON.stringify(value);
    await system.decide(one.case_id, "release", { why: "new account", payload });
    const waiting = await untilDecided(system, one.case_id);
    expect(waiting.diagnosis).toContain("second person");
    expect(waiting).toMatchObject({ status: "quarantined", proposal: { by: "ada", paths: ["/account"] } });
    const approve = { case_id: one.case_id, decision: "approve" as const, why: "checked" };
    await expect(decide(system.store, { ...approve, by: "ada" })).rejects.toMatchObject({
      code: "WARD_DECISION_REFUSED",
    });
    expect(system.handled).toEqual([]);
    await decide(system.store, { ...approve, by: "grace" });
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.handled).toEqual([value]);
  });

  it("redirects to an agent of the team that takes the contract, and to no other", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, one } = await quarantineOne(system);
    await system.decide(one.case_id, "redirect", { to: "nobody" });
    expect((await untilDecided(system, one.case_id)).diagnosis).toContain("no agent called nobody");
    const found = toWardCase(await system.stored(one.case_id));
    expect(found.status).toBe("quarantined");
    await system.decide(one.case_id, "redirect", { to: "clerk" });
    // The message is as broken there, so that it comes back to the same case.
    const back = await system.untilCase(
      runId,
      (case_) => case_.messages === 2 && case_.status === "quarantined",
    );
    expect(back).toMatchObject({ case_id: one.case_id, agent: "clerk", addressed_to: "desk" });
  });

  it("takes a discard back, even when the run has ended by it, and the run can still end well", async () => {
    const system = await openSurgeonAtWork();
    const { runId } = await system.submit(BROKEN);
    const { case_id } = await system.untilCase(runId, (one) => one.status === "quarantined");
    await system.decide(case_id, "discard", { why: "spam" });
    await system.until(runId, ["failed"]);
    await system.decide(case_id, "restore", { why: "no spam" });
    await system.until(runId, ["quarantined"]);
    await system.untilCase(runId, (one) => one.status === "quarantined" && one.decision === null);
    const payload = JSON.stringify({ order_id: "A-1234", seats: 3 });
    await system.decide(case_id, "release", { why: "asked the customer", payload });
    expect((await system.until(runId, ["completed", "failed"])).status).toBe("completed");
    const { submitted, completed, failed, quarantined } = await system.store.runs.counts();
    expect({ submitted, completed, failed, quarantined }).toEqual({
      submitted: 1,
      completed: 1,
      failed: 0,
      quarantined: 0,
    });
  });

  it("refuses a second decision while one is under way, and one about an older version", async () => {
    const system = await openSurgeonTestSystem();
    await system.start();
    const { runId } = await system.submit(BROKEN);
    const one = await system.untilCase(runId, (found) => found.status === "admitted");
    await system.decide(one.case_id, "discard", { version: one.version });
    const late = { case_id: one.case_id, decision: "release" as const, by: "grace", why: "" };
    await expect(decide(system.store, late)).rejects.toMatchObject({ code: "WARD_DECISION_REFUSED" });
    await expect(decide(system.store, { ...late, version: one.version })).rejects.toMatchObject({
      code: "WARD_CASE_CHANGED",
    });
  });
});

describe("a message that agents reject", () => {
  it("goes to the declared fallback, then to a capable agent that its sender hands to, then to a person", async () => {
    const seen: string[] = [];
    const rejects = (name: string) =>
      agent(`${name}@1`, {
        accepts: Refund,
        handle: (_input, ctx) => {
          seen.push(name);
          return ctx.reject("too busy");
        },
      });
    const first = agent("front@1", {
      accepts: Refund,
      to: { desk: Refund, second: Refund },
      handle: (input, ctx) => ctx.handoff("desk", input),
    });
    const members = [first, rejects("desk"), rejects("second"), rejects("third")];
    const help = team("help", members, { fallbacks: { "front>desk": ["third"] } });
    const { surgery } = await openSurgeonTestSystem();
    const system = await startTestSystem(help);
    const { store, keyring } = system;
    const surgeon = startSurgeon({ ...surgery(), store, keyring, teams: [help], upkeepMs: 50 });
    try {
      const { runId } = await system.submit({ order_id: "A-1234", seats: 3 });
      await system.until(runId, ["quarantined", "completed", "failed"]);
      expect(seen).toEqual(["desk", "third", "second"]);
      const { cases } = await findCases(store, { filter: { run_id: runId }, limit: 5 });
      expect(cases).toMatchObject([{ status: "quarantined", reroutes: 2, operations: 0, messages: 3 }]);
      expect(cases[0]?.taboo.toSorted()).toEqual(["desk", "second", "third"]);
    } finally {
      await surgeon.stop(0);
    }
  });
});

it("carries out a decision whose job was lost, through each move that the surgeon makes meanwhile", async () => {
  const system = await openSurgeonTestSystem();

  await system.start();
  const { runId } = await system.submit({ order_id: "A-1234" });
  const one = await system.untilCase(runId, ({ status }) => status === "admitted");
  const queue = system.store.queues.of("ward", "ward");
  await orderPause(system.store, { agent: "ward", is_paused: true, by: "ada" });
  await queue.pause();
  await system.decide(one.case_id, "discard", { why: "spam" });
  await queue.obliterate({ force: true });
  await queue.pause();
  const surgeon = system.startSurgeon();
  const restarted = await system.untilCase(runId, ({ restarts }) => restarts === 1);
  expect(restarted.decision).toMatchObject({ kind: "discard", by: "ada" });
  await queue.obliterate({ force: true });
  await system.untilCase(runId, ({ restarts }) => restarts === 2);
  await orderPause(system.store, { agent: "ward", is_paused: false, by: "ada" });
  await queue.resume();
  const done = await system.untilCase(runId, ({ status }) => status === "discarded");
  expect(done.case_id).toBe(one.case_id);
  await surgeon.stop(0);
});

const MESSAGE = { order_id: "A-1001", seats: 2 };

it("keeps what the ledger knows of a message as long as the message waits for a person", async () => {
  let calls = 0;
  const system = await openSurgeonTestSystem({
    handle: async (_input, ctx) => {
      await ctx.step("paid", () => (calls += 1));
      throw new Error("the handler's own fault");
    },
  });
  const { store } = system;
  await system.start();
  const { runId, envelope } = await system.submit(MESSAGE);
  await system.until(runId, ["in_ward", "quarantined"]);
  const book = store.keys.ledger("desk", envelope.meta.message_id);
  // The settled message's book entry is about to reach its end.
  await store.redis.pexpire(book, 60_000);
  expect(await store.redis.pttl(book)).toBeLessThanOrEqual(60_000);
  system.startSurgeon();
  await system.untilCase(runId, (one) => one.status === "quarantined");
  await expect.poll(() => store.redis.pttl(book)).toBeGreaterThan(60_000);
  expect(await store.redis.hget(book, "s:step/paid")).toBe("1");
  expect(calls).toBe(1);
});
