import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { WEBHOOK_DATA } from "#shared/testing";
import type { DeliveredJob } from "#shared/store/queues";
import { findCases, toWardCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { handleCaseJob } from "./cases/handle-case-job.ts";
import { openSurgeonTestSystem, repairWith, openSurgeonAtWork } from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";
import { openUpkeep } from "./upkeep/upkeep.ts";

const WORDS = "Please refund order A-1234 for 3 seats.";
const QUERY = { user: { original_query: WORDS } };
const BROKEN = { order_id: "A-1234" };
const WHOLE = { order_id: "A-1234", seats: 3 };

/** The delivery that a worker would hold: the lock is set as the engine sets it. */
async function deliver(system: SurgeonTestSystem, one: WardCase, token = "token"): Promise<DeliveredJob> {
  const { store } = system;
  const jobId = (await system.stored(one.case_id)).fields["job_id"] ?? "";
  await store.redis.set(store.keys.lock("ward", jobId), token);
  return {
    jobId,
    queue: "ward",
    lane: "ward",
    token,
    data: { case_id: one.case_id },
    stalls: 0,
    unseenUntilMs: 0,
    ticket: null,
    signal: new AbortController().signal,
  };
}

async function admitOne(system: SurgeonTestSystem): Promise<{ runId: string; one: WardCase }> {
  await system.start();
  const { runId } = await system.submit(BROKEN, QUERY);
  return { runId, one: await system.untilCase(runId, (found) => found.status === "admitted") };
}

/** Waits until the surgeon has put a case back so often; of any case where it is null. */
async function untilPutBack(
  { store }: SurgeonTestSystem,
  caseId: string | null,
  times: number,
): Promise<void> {
  await vi.waitFor(async () => {
    const waits = (await store.cases.audit(caseId, 500)).filter(({ action }) => action === "wait");
    expect(waits.length).toBeGreaterThanOrEqual(times);
  }, 60_000);
}

const CIRCUIT = { failuresMax: 2, probeMs: 100, probeMsMax: 100, drainPerSecond: 10 };

/** Operates, and dies as the verdict is to be written. */
async function dieBeforeVerdict(system: SurgeonTestSystem, job: DeliveredJob): Promise<void> {
  const { store } = system;
  const write = store.cases.write.bind(store.cases);
  vi.spyOn(store.cases, "write").mockImplementation((change) => {
    if (change.status === "discharged") throw new Error("the process dies here");
    return write(change);
  });
  await expect(handleCaseJob(system.surgery(), job)).rejects.toThrow("dies here");
  vi.restoreAllMocks();
}

describe("surgery in trouble", () => {
  it("waits while the endpoint is down, counts no operation, and heals when it is back", async () => {
    const system = await openSurgeonTestSystem({ limits: { modelCircuit: CIRCUIT } });
    const { endpoint, startSurgeon, untilCase } = system;
    endpoint.answer = () => 503;
    const { runId, one } = await admitOne(system);
    startSurgeon();
    await untilPutBack(system, one.case_id, 3);
    // The next try may hold its money just now.
    await expect
      .poll(() => system.stored(one.case_id).then(toWardCase))
      .toMatchObject({ operations: 0, cost: 0 });
    expect((await system.store.runs.get(runId)).status).toBe("in_ward");
    endpoint.answer = () => repairWith(WHOLE);
    expect((await system.until(runId)).status).toBe("completed");
    expect((await untilCase(runId, (found) => found.status === "discharged")).operations).toBe(1);
  });

  it.each([
    [400, { type: "invalid_request_error", param: "response_format", code: null, message: "Invalid schema" }],
    [400, { type: "invalid_request_error", param: "temperature", code: "unsupported_value", message: "" }],
    [401, { type: "invalid_request_error", param: null, code: "invalid_api_key", message: "" }],
    [404, { type: "invalid_request_error", param: null, code: "model_not_found", message: "" }],
    [422, {}],
  ])(
    "waits while the endpoint refuses our request with %i, and says so to operators (%#)",
    async (status, error) => {
      const logged: string[] = [];
      const logger = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
      const system = await openSurgeonTestSystem({ limits: { modelCircuit: CIRCUIT } });
      const { endpoint, startSurgeon, untilCase } = system;
      endpoint.answer = () => ({ status, error });
      const { runId, one } = await admitOne(system);
      startSurgeon({ logger });
      await untilPutBack(system, one.case_id, 2);
      // The next try may hold its money just now.
      await expect
        .poll(() => system.stored(one.case_id).then(toWardCase))
        .toMatchObject({ operations: 0, cost: 0 });
      expect(logged.map((line): unknown => JSON.parse(line))).toContainEqual(
        expect.objectContaining({
          level: 50,
          code: "MODEL_CIRCUIT_OPEN",
          model: "gpt-5",
          reason: "configuration",
        }),
      );
      const receiver = { id: "ops", types: ["endpoint.paused"] };
      await system.store.notices.spread({ receivers: [receiver], queueMax: 10 });
      const notice = await system.store.notices.take("ops", 1000);
      expect(notice).toMatchObject({ type: "endpoint.paused" });
      const data: unknown = JSON.parse(notice?.data ?? "");
      expect(WEBHOOK_DATA["endpoint.paused"].parse(data)).toEqual(data);
      // However often it is refused, operators are told once.
      expect(await system.store.notices.take("ops", 1000)).toBeNull();
      endpoint.answer = () => repairWith(WHOLE);
      expect((await system.until(runId)).status).toBe("completed");
      expect((await untilCase(runId, (found) => found.status === "discharged")).operations).toBe(1);
    },
  );

  it.each([
    [400, { code: "context_length_exceeded", message: "secret" }],
    [400, { message: "This model's maximum context length is 8 tokens" }],
    [413, {}],
    [400, { code: "content_filter", message: "secret" }],
  ])(
    "leaves a message to a person that the endpoint does not take itself, with %i (%#)",
    async (status, error) => {
      const system = await openSurgeonTestSystem();
      system.endpoint.answer = () => ({ status, error });
      const { runId } = await admitOne(system);
      system.startSurgeon();
      const one = await system.untilCase(runId, (found) => found.status === "quarantined");
      expect(one.diagnosis).toContain("does not take the input");
      expect(one.diagnosis).not.toContain("secret");
    },
  );

  it("asks no model when the case's money does not cover the answer", async () => {
    const system = await openSurgeonTestSystem({ limits: { surgeonCostPerCase: 0.001 } });
    const { runId } = await admitOne(system);
    system.startSurgeon();
    const one = await system.untilCase(runId, (found) => found.status === "quarantined");
    expect(one.diagnosis).toContain("spent on this case");
    expect(system.endpoint.questions).toEqual([]);
  });

  it("leaves a part of the hour's money to other tenants when one tenant's messages spend it", async () => {
    const system = await openSurgeonAtWork({ limits: { surgeonCostPerHour: 0.06, tenantShare: 0.5 } });
    system.endpoint.answer = () => repairWith({ order_id: "A-1234", seats: 3 });

    const { redis, keys, cases } = system.store;
    await redis.sadd(keys.runs("owners"), "local", "acme");
    system.startSurgeon();
    const theirs = { user: { ...QUERY.user, user_id: "acme/bob" } };
    await Promise.all(Array.from({ length: 30 }, () => system.submit(BROKEN, theirs)));
    await untilPutBack(system, null, 1);
    expect(system.endpoint.questions.length).toBeGreaterThan(0);
    expect(await cases.costs.spentThisHour()).toBeLessThanOrEqual(30_000);
    expect((await cases.counts()).quarantined).toBe(0);
    // The rest is there for another.
    const limits = { caseMicroMax: 1e6, hourMicroMax: 60_000, tenantMicroMax: 30_000, groupMicroMax: 1e6 };
    const asked = { caseId: "other", fingerprint: "other", micro: 25_000, limits };
    expect(await cases.costs.reserve({ ...asked, tenant: "acme" })).toMatchObject({ kind: "hour" });
    expect(await cases.costs.reserve({ ...asked, tenant: "local" })).toMatchObject({ kind: "reserved" });
  });

  it("discharges once when a job is delivered twice at the same time", async () => {
    const system = await openSurgeonTestSystem();
    system.endpoint.answer = () => repairWith(WHOLE);
    const { runId, one } = await admitOne(system);
    const job = await deliver(system, one);
    const surgery = system.surgery();
    await Promise.all([1, 2, 3].map(() => handleCaseJob(surgery, job)));
    await handleCaseJob(surgery, job);
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.handled).toEqual([WHOLE]);
    expect((await system.store.runs.messages(runId)).length).toBe(2);
  });

  it("gives a zombie no say after the model has answered", async () => {
    const system = await openSurgeonTestSystem();
    const { one } = await admitOne(system);
    const job = await deliver(system, one);
    const { store } = system;
    system.endpoint.answer = () => {
      void store.redis.set(store.keys.lock("ward", job.jobId), "somebody else");
      return repairWith(WHOLE);
    };
    await handleCaseJob(system.surgery(), job);
    expect((await system.stored(one.case_id)).status).toBe("in_surgery");
    expect(system.handled).toEqual([]);
  });

  it("does not pay twice for either look when it dies after the second", async () => {
    const system = await openSurgeonTestSystem();
    system.endpoint.answer = ({ second_look: again }) =>
      repairWith(again === undefined ? { ...WHOLE, seats: 77 } : WHOLE);
    const { runId, one } = await admitOne(system);
    const job = await deliver(system, one);
    await dieBeforeVerdict(system, job);
    await handleCaseJob(system.surgery(), job);
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.endpoint.questions.length).toBe(2);
    expect(system.handled).toEqual([WHOLE]);
  });

  it("calls the surgeon again for a case whose job is gone", async () => {
    const system = await openSurgeonTestSystem();
    system.endpoint.answer = () => repairWith(WHOLE);
    const { runId, one } = await admitOne(system);
    const { store } = system;
    await store.queues.of("ward", "ward").obliterate({ force: true });
    const round = openUpkeep(system.surgery({ jobMissingMs: 0 }));
    await round();
    const again = toWardCase(await system.stored(one.case_id));
    expect(again).toMatchObject({ status: "admitted", restarts: 1 });
    await round();
    expect((await system.stored(one.case_id)).version).toBe(again.version);
    system.startSurgeon();
    expect((await system.until(runId)).status).toBe("completed");
  });

  it("quarantines a case over which surgeons keep dying", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, one } = await admitOne(system);
    const job = await deliver(system, one);
    await handleCaseJob(system.surgery(), { ...job, stalls: 3 });
    const left = await system.untilCase(runId, (found) => found.status === "quarantined");
    expect(left.diagnosis).toContain("3 times");
    expect(left.operations).toBe(0);
  });

  it("ends the cases of a run that is cancelled", async () => {
    const system = await openSurgeonTestSystem();
    const { runId } = await admitOne(system);
    await system.store.runs.cancel({ runId, by: "ada", markLifeMs: 60_000 });
    system.startSurgeon();
    expect((await system.until(runId)).status).toBe("cancelled");
    const { cases } = await findCases(system.store, { filter: { run_id: runId }, limit: 5 });
    expect(cases.map((one) => one.status)).toEqual(["discarded"]);
  });

  it("believes no admission whose bytes were changed, and shows it to no model", async () => {
    const system = await openSurgeonTestSystem();
    const { runId, one } = await admitOne(system);
    const { store } = system;
    const key = store.keys.ward(`case:${one.case_id}`);
    const message = (await store.redis.hget(key, "message:1")) ?? "";
    await store.redis.hset(key, "message:1", message.replaceAll("A-1234", "A-9999"));
    system.startSurgeon();
    const left = await system.untilCase(runId, (found) => found.status === "quarantined");
    expect(left.diagnosis).toContain("ENVELOPE_SIGNATURE_MISMATCH");
    expect(system.endpoint.questions).toEqual([]);
    await system.decide(one.case_id, "release", { why: "try" });
    await vi.waitFor(
      async () => expect(toWardCase(await system.stored(one.case_id)).decision).toBeNull(),
      5000,
    );
    expect((await system.stored(one.case_id)).status).toBe("quarantined");
    expect(system.handled).toEqual([]);
  });
});
