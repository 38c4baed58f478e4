import { describe, expect, it } from "vitest";
import { z } from "zod";
import { derivedId, timestamp, uuidv7 } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { OnceOptions } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";

const Order = contract("order@1", z.object({ customer: z.string() }));

/** An agent that writes one invoice a customer under a constant key, and may first fail after having done so. */
function billing(options: OnceOptions<string> = {}, { failsAfter = 0 } = {}) {
  const acts: { readonly customer: string; readonly idempotencyKey: string }[] = [];
  let failures = 0;
  const biller = agent("biller@1", {
    accepts: Order,
    handle: async ({ customer }, ctx) => {
      const invoice = await ctx.once(
        "invoice",
        async (idempotencyKey) => {
          acts.push({ customer, idempotencyKey });
          return `the invoice of ${customer}`;
        },
        options,
      );
      failures += 1;
      if (failures <= failsAfter) throw Object.assign(new Error("flaky"), { failureClass: "transient" });
      return ctx.complete({ invoice });
    },
  });
  return { system: createTestSystem(team("billing", [biller])), acts };
}

async function invoiceOf(system: TestSystem, customer: string, runId = uuidv7()): Promise<unknown> {
  await system.submit({ customer }, { runId });
  return (await system.until(runId)).result;
}

/** Writes a claim as releases before scopes wrote it: one key for the agent, whatever the run. */
async function claimedBefore(
  { store }: TestSystem,
  { runId, state, value }: { runId: string; state: "done" | "claimed"; value?: string },
): Promise<void> {
  const key = store.keys.once("biller", "invoice", null);
  await store.redis.hset(key, {
    state,
    message_id: uuidv7(),
    at: timestamp(),
    claim_id: "a claim of the release before",
    lock: store.keys.lock("biller", "a job that is gone"),
    token: "a worker that died",
    run_id: runId,
    ...(value === undefined ? {} : { value: JSON.stringify(value) }),
  });
  await store.redis.zadd(store.keys.claims("biller"), Date.now(), key);
}

const CUSTOMERS = ["Ada", "Grace", "Edsger", "Barbara"];

describe("ctx.once without a scope", () => {
  it("keeps the effects of one constant key in four customers' runs apart", async () => {
    const { system, acts } = billing();
    await system.start();
    const invoices = await Promise.all(CUSTOMERS.map((customer) => invoiceOf(system, customer)));
    expect(invoices).toEqual(CUSTOMERS.map((customer) => ({ invoice: `the invoice of ${customer}` })));
    expect(new Set(acts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
  });

  it("does the effect once in a run, however often its message is delivered", async () => {
    const { system, acts } = billing({}, { failsAfter: 2 });
    await system.start();
    expect(await invoiceOf(system, "Ada")).toEqual({ invoice: "the invoice of Ada" });
    expect(acts).toHaveLength(1);
  });
});

describe("ctx.once with the agent's scope", () => {
  it("does the effect once for all runs", async () => {
    const { system, acts } = billing({ scope: "agent" });
    await system.start();
    const first = await invoiceOf(system, "Ada");
    expect(await invoiceOf(system, "Grace")).toEqual(first);
    expect(acts).toHaveLength(1);
  });

  it("finds what the release before did, in whichever run", async () => {
    const { system, acts } = billing({ scope: "agent" });
    await claimedBefore(system, { runId: uuidv7(), state: "done", value: "an older one" });
    await system.start();
    expect(await invoiceOf(system, "Ada")).toEqual({ invoice: "an older one" });
    expect(acts).toEqual([]);
  });

  it("has claims of its own beside those of a run", async () => {
    const store = createTestSystem(
      team("none", [agent("biller@1", { accepts: Order, handle: (_, ctx) => ctx.complete(1) })]),
    ).store;
    const hold = {
      agent: "biller",
      queue: "biller",
      jobId: "job",
      token: "t",
      messageId: uuidv7(),
      runId: uuidv7(),
      digest: "",
    };
    await store.redis.set(store.keys.lock("biller", "job"), "t");
    const claim = { key: "invoice", claimId: "1", at: timestamp(), takesOver: false, labels: [] };
    const scoped = { ...claim, runId: null, scope: "agent" } as const;
    expect(await store.effects.claim(hold, scoped)).toEqual({ kind: "claimed" });
    await store.effects.finish("biller", { ...scoped, value: "1" });
    expect(await store.effects.claim(hold, { ...claim, runId: hold.runId, scope: "run" })).toEqual({
      kind: "claimed",
    });
  });
});

describe("a claim that the release before wrote", () => {
  it("is found by its own run, and the effect is not done again", async () => {
    const { system, acts } = billing();
    const runId = uuidv7();
    await claimedBefore(system, { runId, state: "done", value: "the invoice of Ada" });
    await system.start();
    expect(await invoiceOf(system, "Ada", runId)).toEqual({ invoice: "the invoice of Ada" });
    expect(acts).toEqual([]);
  });

  it("is not another run's", async () => {
    const { system, acts } = billing();
    await claimedBefore(system, { runId: uuidv7(), state: "done", value: "the invoice of Ada" });
    await system.start();
    expect(await invoiceOf(system, "Grace")).toEqual({ invoice: "the invoice of Grace" });
    expect(acts).toHaveLength(1);
  });

  it("that was left open is asked about under the idempotency key it was begun with, and is then done once", async () => {
    const asked: string[] = [];
    const reconcile = (key: string) => Promise.resolve((asked.push(key), { done: false as const }));
    const { system, acts } = billing({ reconcile }, { failsAfter: 2 });
    const runId = uuidv7();
    await claimedBefore(system, { runId, state: "claimed" });
    await system.start();
    expect(await invoiceOf(system, "Ada", runId)).toEqual({ invoice: "the invoice of Ada" });
    const before = derivedId("once", "biller", "invoice");
    expect({ asked, acts }).toEqual({ asked: [before], acts: [{ customer: "Ada", idempotencyKey: before }] });
  });
});
