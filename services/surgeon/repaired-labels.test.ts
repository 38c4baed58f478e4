import { describe, expect, it } from "vitest";
import type { GuardDeclaration } from "#shared/guard";
import type { CaseDetail } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { openSurgeonTestSystem, repairWith } from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";

/** Pays by the order alone, and refuses an order that outside text chose. */
const guard: GuardDeclaration = { mayCause: ["pay"], refusesTaint: { pay: ["customer"] } };

/** The sender vouches for the order; everything else is the customer's. */
const conversation = { metadata: { taint: { "": ["customer"], "/order_id": [], "/seats": [] } } };

async function open(declared: GuardDeclaration = guard) {
  const payments: string[] = [];
  const system = await openSurgeonTestSystem({
    guard: declared,
    handle: async ({ order_id, seats }, ctx) => {
      await ctx.once(`pay:${order_id}`, async () => void payments.push(order_id), { uses: ["/order_id"] });
      return ctx.complete({ order_id, seats });
    },
  });
  await system.start();
  system.startSurgeon();
  return { system, payments };
}

function refusedCase(system: SurgeonTestSystem, runId: string): Promise<CaseDetail> {
  return system.untilCase(runId, ({ status, diagnosis }) => {
    return status === "quarantined" && (diagnosis ?? "").includes("may not cause pay");
  });
}

describe("a place that the sender declared clean", () => {
  it("is not clean any more when the surgeon's model filled it, and the payment waits for a person", async () => {
    const { system, payments } = await open();
    system.endpoint.answer = () => repairWith({ order_id: "A-6666", seats: 2, reason: "other" });
    const broken = { order_id: "?", seats: 2, reason: "something about A-6666, other" };
    const { runId } = await system.submit(broken, { conversation });
    const one = await refusedCase(system, runId);
    expect(payments).toEqual([]);
    await decide(system, { case_id: one.case_id, decision: "release", by: "ada", why: "read it" });
    expect((await system.until(runId)).status).toBe("completed");
    expect(payments).toEqual(["A-6666"]);
  });

  it("takes the label of the place that a value was moved from without a model", async () => {
    const { system, payments } = await open();
    const { runId } = await system.submit({ "Order ID": "A-6666", seats: 2 }, { conversation });
    await refusedCase(system, runId);
    expect({ payments, asked: system.endpoint.questions }).toEqual({ payments: [], asked: [] });
  });

  it("stays clean when only its form was mended, or another place was", async () => {
    const { system, payments } = await open();
    const first = await system.submit({ order_id: " A-1234 ", seats: 2 }, { conversation });
    expect((await system.until(first.runId)).status).toBe("completed");
    const second = await system.submit({ order_id: "A-5678", seats: "2", reason: "LATE" }, { conversation });
    expect((await system.until(second.runId)).status).toBe("completed");
    expect(payments).toEqual(["A-1234", "A-5678"]);
  });

  it("is not clean in a text that had to be read: its labels were given to another shape", async () => {
    const { system, payments } = await open();
    const { runId } = await system.submit(`{"order_id": "A-6666", seats: 2}`, { conversation });
    await refusedCase(system, runId);
    expect(payments).toEqual([]);
  });

  it("takes the labels of the query when a person's value stands there, and none when it is the person's own", async () => {
    for (const [order_id, paid] of [
      ["A-6666", false],
      ["A-4321", true],
    ] as const) {
      const { system, payments } = await open();
      const sent = await system.submit(
        { order_id: "?", seats: 2 },
        { conversation, user: { original_query: "refund A-6666" } },
      );
      const one = await system.untilCase(sent.runId, ({ status }) => status === "quarantined");
      const payload = JSON.stringify({ order_id, seats: 2 });
      await decide(system, { case_id: one.case_id, decision: "release", by: "ada", why: "", payload });
      if (paid) expect((await system.until(sent.runId)).status).toBe("completed");
      else await refusedCase(system, sent.runId);
      expect(payments).toEqual(paid ? [order_id] : []);
    }
  });
});

it("takes the labels that the receiver itself declares for what the model was shown", async () => {
  const { system, payments } = await open({ ...guard, untrusted: { payload: { "/reason": "customer" } } });
  system.endpoint.answer = () => repairWith({ order_id: "A-6666", seats: 2, reason: "other" });
  const { runId } = await system.submit({ order_id: "?", seats: 2, reason: "something about A-6666, other" });
  await refusedCase(system, runId);
  expect(payments).toEqual([]);
});
