import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { openBytes } from "#shared/envelope/seals";
import { defineError } from "#shared/errors";
import { agent, team } from "#shared/runtime";
import type { AgentOptions, Context, HandlerOutcome } from "#shared/runtime";
import type { Admission } from "#shared/store/settlement";
import { awayError, createTestSystem, startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { ADMISSION_LIMITS } from "#shared/ward";
import type { CaseAdmission } from "#shared/ward";

const Job = contract("job@1", z.object({ n: z.number() }));
const Next = contract("next@1", z.object({ n: z.number().max(100) }));

type Handle = (
  input: { n: number },
  ctx: Context<{ next: typeof Next }>,
) => HandlerOutcome | Promise<HandlerOutcome>;

/** A worker that does what the test says, and a receiver that completes with what it was sent. */
async function openWorker(
  handle: Handle,
  options: Partial<AgentOptions<typeof Job, { next: typeof Next }>> = {},
  agents: Parameters<TestSystem["start"]>[0] = {},
) {
  const admissions: Admission[] = [];
  const worker = agent("worker@1", { accepts: Job, to: { next: Next }, handle, ...options });
  const next = agent("next@1", { accepts: Next, handle: (input, ctx) => ctx.complete({ got: input.n }) });
  const system = createTestSystem(team("pair", [worker, next]), { admissions });
  return { system, admissions, running: await system.start(agents) };
}

/** The first message that reached the ward. The run is told first, so it may take a moment. */
async function admitted(system: TestSystem, admissions: readonly Admission[]): Promise<CaseAdmission> {
  await expect.poll(() => admissions.length).toBeGreaterThan(0);
  const [admission] = admissions;
  const id = admission?.case_id ?? "";
  const opened = openBytes({
    message: admission,
    queue: "ward",
    jobId: id,
    keyring: system.keyring,
    limits: ADMISSION_LIMITS,
  });
  return JSON.parse(opened.bytes);
}

describe("retries", () => {
  it("delivers a transient failure again and goes on from the recorded steps", async () => {
    const calls = { step: 0, handler: 0 };
    const { system } = await openWorker(async (input, ctx) => {
      calls.handler += 1;
      const doubled = await ctx.step("double", () => {
        calls.step += 1;
        return input.n * 2;
      });
      if (calls.handler < 3) throw awayError();
      return ctx.handoff("next", { n: doubled });
    });
    expect(await system.run({ n: 4 })).toMatchObject({ status: "completed", result: { got: 8 } });
    expect(calls).toEqual({ step: 1, handler: 3 });
  });

  it("sends what failed three times to the ward, signed by the agent, with every fact of the failure", async () => {
    const { system, admissions } = await openWorker(() => {
      throw awayError();
    });
    const { runId, envelope } = await system.submit({ n: 1 });
    await system.until(runId, ["in_ward"]);
    const record = await admitted(system, admissions);
    expect(record).toMatchObject({
      message_id: envelope.meta.message_id,
      run_id: runId,
      agent: "worker",
      disposition: "operate",
      subject: { kind: "payload" },
      failures: [{ failure_class: "transient", code: "AWAY" }],
    });
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(events.filter((event) => event.type === "retry")).toHaveLength(2);
  });

  it("waits the time a server names and does not count it as a delivery", async () => {
    let calls = 0;
    const limited = {
      code: "LIMITED",
      failureClass: "rate_limited",
      message: "slow down",
      remedy: "",
    } as const;
    const Limited = defineError({ ...limited, retryAfterMs: 30 });
    const { system } = await openWorker((input, ctx) => {
      calls += 1;
      if (calls <= 5) throw new Limited();
      return ctx.complete(input.n);
    });
    expect(await system.run({ n: 1 })).toMatchObject({ status: "completed", result: 1 });
    expect(calls).toBe(6);
  });

  it("ends a handler that overruns its time, and refuses what it still tries afterwards", async () => {
    const late: unknown[] = [];
    const { system } = await openWorker(
      async (_input, ctx) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await ctx.step("late", () => 1).catch((error: unknown) => late.push(error));
        return ctx.complete("too late");
      },
      { handlerTimeoutMs: 50, deliveriesMax: 1 },
    );
    const run = await system.run({ n: 1 }, {}, ["in_ward", "completed"]);
    expect(run.status).toBe("in_ward");
    await expect.poll(() => late.length).toBe(1);
  });
});

describe("what a handler makes", () => {
  it("sends a handoff with a bad payload to the ward, and does not run its sender again", async () => {
    let calls = 0;
    const { system, admissions } = await openWorker((input, ctx) => {
      calls += 1;
      return ctx.handoff("next", { n: input.n });
    });
    await system.run({ n: 500 }, {}, ["in_ward"]);
    expect(await admitted(system, admissions)).toMatchObject({
      agent: "next",
      contract: "next@1",
      failures: [
        { failure_class: "validation_error", direction: "out", agent: "worker@1", issues: [{ path: "/n" }] },
      ],
      producer: { agent: "worker@1" },
    });
    expect(calls).toBe(1);
  });

  it("refuses at run time a transition that the team does not declare", async () => {
    const { system, admissions } = await openWorker(
      // The compiler refuses the name; a cast stands for the plain JavaScript that gets past it.
      (input, ctx) => ctx.handoff("elsewhere" as "next", { n: input.n }),
      { deliveriesMax: 1 },
    );
    await system.run({ n: 1 }, {}, ["in_ward"]);
    expect((await admitted(system, admissions)).failures[0]).toMatchObject({ code: "TRANSITION_UNDECLARED" });
  });

  it("takes a rejection with its reason to the ward for another agent", async () => {
    const { system, admissions } = await openWorker((_input, ctx) => ctx.reject("not my field"));
    await system.run({ n: 1 }, {}, ["in_ward"]);
    const record = await admitted(system, admissions);
    expect(record.disposition).toBe("reroute");
    expect(record.failures[0]).toMatchObject({ failure_class: "rejected", code: "AGENT_REJECTED" });
  });
});

describe("ctx.once", () => {
  it("may try again when the effect says that it did not happen", async () => {
    let tries = 0;
    const { system } = await openWorker(async (_input, ctx) => {
      const paid = await ctx.once("order-8", async () => {
        tries += 1;
        if (tries === 1) throw awayError();
        return "paid";
      });
      return ctx.complete(paid);
    });
    expect(await system.run({ n: 1 })).toMatchObject({ status: "completed", result: "paid" });
  });
});

describe("a run that is cancelled", () => {
  it("ends cancelled, whatever its handler returns afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    const { system } = await openWorker(async (input, ctx) => {
      await gate.promise;
      return ctx.handoff("next", { n: input.n });
    });
    const { runId } = await system.submit({ n: 1 });
    await system.until(runId, ["running"]);
    await system.store.runs.cancel({ runId, by: "test", markLifeMs: 60_000 });
    gate.resolve();
    expect((await system.until(runId)).status).toBe("cancelled");
    expect(await system.store.runs.counts()).toMatchObject({ submitted: 1, cancelled: 1, running: 0 });
  });
});

describe("a clean stop", () => {
  it("gives back work that does not end in its grace time, to be done elsewhere at once", async () => {
    let runs = 0;
    const work: Handle = async (input, ctx) => {
      runs += 1;
      if (runs === 1) {
        await new Promise((_, reject) =>
          ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)),
        );
      }
      return ctx.complete(input.n);
    };
    // Far beyond this test's patience: only a job that was given back can be done in time.
    const { system, running } = await openWorker(work, {}, { lockMs: 600_000 });
    const { runId } = await system.submit({ n: 7 });
    await expect.poll(() => runs).toBe(1);
    await running.stop(50);
    await system.start();
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: 7 });
    // Nothing went wrong with it: no delivery is used up, and nobody is told of a failure.
    const events = await system.store.runs.events(runId, { from: 0, limit: 20 });
    expect(events.map(({ type }) => type)).not.toContain("retry");
    expect(events.at(-1)).toMatchObject({ type: "completed", detail: { attempt: 1 } });
  });
});

const Note = contract("note@1", z.object({ n: z.number() }));

it("keeps nothing of a delivery that is over, though its handler left listeners on its signal", async () => {
  const signals: WeakRef<AbortSignal>[] = [];
  const solo = agent("solo@1", {
    accepts: Note,
    handle: (note, ctx) => {
      signals.push(new WeakRef(ctx.signal));
      ctx.signal.addEventListener("abort", () => signals.length);
      return ctx.complete(note.n);
    },
  });
  const system = await startTestSystem(team("one", [solo]));
  for (let n = 0; n < 5; n += 1) {
    await system.run({ n });
  }
  setFlagsFromString("--expose-gc");
  // The flag puts a function of this name into every context that is made from now on.
  const collect = runInNewContext("gc") as () => void;
  const left = (): number => {
    collect();
    return signals.filter((signal) => signal.deref() !== undefined).length;
  };
  // The engine may still hold its last job.
  await expect.poll(left).toBeLessThanOrEqual(1);
});
