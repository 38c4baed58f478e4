import { describe, expect, it } from "vitest";
import { z } from "zod";
import { uuidv7 } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { OnceOptions } from "#shared/runtime";
import { createTestSystem, startTestSystem, testRedis } from "#shared/testing";
import type { TestSystem } from "#shared/testing";

const Order = contract("order@1", z.object({ customer: z.string() }));

/** An agent that writes one invoice a customer under a constant key, and may first fail after having done so. */
async function billing(options: OnceOptions<string> = {}, { failsAfter = 0 } = {}) {
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
  return { system: await startTestSystem(team("billing", [biller])), acts };
}

async function invoiceOf(system: TestSystem, customer: string, runId = uuidv7()): Promise<unknown> {
  await system.submit({ customer }, { runId });
  return (await system.until(runId)).result;
}

const CUSTOMERS = ["Ada", "Grace", "Edsger", "Barbara"];

describe("ctx.once without a scope", () => {
  it("keeps the effects of one constant key in four customers' runs apart", async () => {
    const { system, acts } = await billing();
    const invoices = await Promise.all(CUSTOMERS.map((customer) => invoiceOf(system, customer)));
    expect(invoices).toEqual(CUSTOMERS.map((customer) => ({ invoice: `the invoice of ${customer}` })));
    expect(new Set(acts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
  });

  it("does the effect once in a run, however often its message is delivered", async () => {
    const { system, acts } = await billing({}, { failsAfter: 2 });
    expect(await invoiceOf(system, "Ada")).toEqual({ invoice: "the invoice of Ada" });
    expect(acts).toHaveLength(1);
  });
});

describe("ctx.once with the agent's scope", () => {
  it("does the effect once for all runs, over many messages at once", async () => {
    const { system, acts } = await billing({ scope: "agent" });
    const invoices = await Promise.all(CUSTOMERS.map((customer) => invoiceOf(system, customer)));
    expect(new Set(invoices.map((invoice) => JSON.stringify(invoice))).size).toBe(1);
    expect(await invoiceOf(system, "Grace")).toEqual(invoices[0]);
    expect(acts).toHaveLength(1);
  });

  it("has claims of its own beside those of a run", async () => {
    const acts: string[] = [];
    const act = async (): Promise<number> => acts.push("paid");
    const biller = agent("biller@1", {
      accepts: Order,
      handle: async (_, ctx) => {
        const shared = await ctx.once("invoice", act, { scope: "agent" });
        return ctx.complete({ shared, own: await ctx.once("invoice", act) });
      },
    });
    const system = await startTestSystem(team("both", [biller]));
    expect((await system.run({ customer: "Ada" })).result).toEqual({ shared: 1, own: 2 });
  });
});

const Mail = contract("mail@1", z.object({ body: z.string(), order: z.string() }));
const FROM_CUSTOMER = { conversation: { metadata: { taint: { "": ["customer"], "/order": [] } } } };

interface Desk {
  readonly options?: OnceOptions<string>;
  /** Looks up within a recorded step. */
  readonly inStep?: boolean;
  /** Deliveries that fail after the look-up. */
  readonly failures?: number;
}

/** An agent that looks a text up once for all its runs, and pays by it. */
function desk({ options = {}, inStep = false, failures = 0 }: Desk = {}) {
  const payments: string[] = [];
  const carried: unknown[] = [];
  let left = failures;
  const reader = agent("reader@1", {
    accepts: Mail,
    to: { filer: Mail },
    guard: { refusesTaint: { pay: ["customer"] } },
    handle: async (mail, ctx) => {
      const lookUp = () =>
        ctx.once("look_up:account", () => Promise.resolve(mail.body), { scope: "agent", ...options });
      const account = inStep ? await ctx.step("account", lookUp) : await lookUp();
      if (mail.order === "A-2" && left > 0) {
        left -= 1;
        throw Object.assign(new Error("flaky"), { failureClass: "transient" });
      }
      if (mail.order === "A-2") await ctx.once(`pay:${mail.order}`, async () => void payments.push(account));
      return ctx.handoff("filer", { ...mail, body: account });
    },
  });
  const filer = agent("filer@1", {
    accepts: Mail,
    handle: (_mail, ctx) => {
      carried.push(ctx.envelope.conversation.metadata["taint"]);
      return ctx.complete({});
    },
  });
  return { system: createTestSystem(team("desk", [reader, filer])), payments, carried };
}

async function lookUpTwice({ system }: { readonly system: TestSystem }): Promise<string> {
  await system.start();
  await system.run({ body: "account DE-666", order: "A-1" }, FROM_CUSTOMER);
  const second = await system.submit({ body: "clean", order: "A-2" });
  return (await system.until(second.runId, ["completed", "quarantined", "in_ward"])).status;
}

describe("a result of ctx.once that another run made", () => {
  it("has the labels of what that run had read, for actions and for what is handed on", async () => {
    const one = desk();
    expect(await lookUpTwice(one)).not.toBe("completed");
    expect(one.payments).toEqual([]);
    const other = desk();
    await other.system.start();
    for (const [order, more] of [
      ["A-1", FROM_CUSTOMER],
      ["A-3", {}],
    ] as const) {
      await other.system.run({ body: "x", order }, more);
    }
    expect(other.carried).toEqual([{ "": ["customer"] }, { "": ["customer"] }]);
  });

  it("has them also when the agent runs again and takes the result from its record", async () => {
    const one = desk({ inStep: true, failures: 1 });
    expect(await lookUpTwice(one)).not.toBe("completed");
    expect(one.payments).toEqual([]);
  });

  it("has none of a place that the effect did not use", async () => {
    const one = desk({ options: { uses: ["/order"] } });
    expect(await lookUpTwice(one)).toBe("completed");
    expect(one.payments).toEqual(["account DE-666"]);
  });
});

const Pay = contract("pay@1", z.object({ order: z.string() }));

describe("an effect whose handler runs out of time", () => {
  it("is not done again before the outside world was asked", async () => {
    const paid: string[] = [];
    let asked = 0;
    const payer = agent("payer@1", {
      accepts: Pay,
      handlerTimeoutMs: 300,
      handle: async ({ order }, ctx) => {
        const key = await ctx.once(
          `pay:${order}`,
          async (idempotencyKey, signal) => {
            paid.push(idempotencyKey);
            // The provider has paid; its answer is late. `fetch` rejects with the signal's reason, as here.
            if (paid.length === 1)
              await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
            return idempotencyKey;
          },
          {
            reconcile: async (idempotencyKey) => {
              asked += 1;
              return { done: true, value: idempotencyKey };
            },
          },
        );
        return ctx.complete({ key });
      },
    });
    const system = await startTestSystem(team("payers", [payer]));
    expect((await system.run({ order: "o-1" })).status).toBe("completed");
    expect({ paid: paid.length, asked }).toEqual({ paid: 1, asked: 1 });
  });
});

const Note = contract("note@1", z.object({ text: z.string() }));

it("begins no effect for a worker whose message is another's by now", async () => {
  const redis = testRedis();
  let deliveries = 0;
  const actedIn: number[] = [];
  const last = agent("last@1", {
    accepts: Note,
    handle: async (_, ctx) => {
      deliveries += 1;
      const delivery = deliveries;
      if (delivery === 1) {
        const { message_id } = ctx.envelope.meta;
        await redis.set(system.store.keys.lock("last", message_id), "another worker's", "PX", 300);
      }
      await ctx.once("charge", async () => {
        actedIn.push(delivery);
        return Promise.resolve({ charged: true });
      });
      return ctx.complete({ deliveries });
    },
  });
  const system = await startTestSystem(team("one", [last]));
  expect(await system.run({ text: "x" })).toMatchObject({ status: "completed", result: { deliveries: 2 } });
  expect(actedIn).toEqual([2]);
  redis.disconnect();
});
