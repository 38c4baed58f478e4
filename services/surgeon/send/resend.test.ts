import { describe, expect, it, vi } from "vitest";
import { SutureError } from "#shared/errors";
import { applyToGroup, findBatch, startBatch } from "#shared/ward/batches";
import { openSurgeonTestSystem } from "../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../testing/surgeon-test-system.ts";

const WHOLE = { order_id: "A-1234", seats: 3 };

class ToolAwayError extends SutureError {
  constructor() {
    super({
      code: "TOOL_AWAY",
      failureClass: "transient",
      message: "The tool is away.",
      remedy: "Wait.",
    });
  }
}

/** An agent whose tool can be unavailable. */
async function openWithTool(
  limits: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem & { tool: { isAway: boolean } }> {
  const tool = { isAway: true };
  const system = await openSurgeonTestSystem({
    limits: { resendDelayMs: 100 },
    ...limits,
    handle: (input, ctx) => {
      if (tool.isAway) throw new ToolAwayError();
      return ctx.complete({ order_id: input.order_id });
    },
  });
  await system.start();
  return Object.assign(system, { tool });
}

describe("a message that died because its agent's tool was away", () => {
  it("goes on as it stands when the tool is back, by itself and for no money", async () => {
    const system = await openWithTool({ limits: { resendDelayMs: 1000 } });
    system.startSurgeon();
    const { runId } = await system.submit(WHOLE);
    const waiting = await system.untilCase(runId, ({ waits }) => waits !== null);
    expect(waiting).toMatchObject({ status: "admitted", operations: 0 });
    system.tool.isAway = false;
    expect((await system.until(runId)).status).toBe("completed");
    const healed = await system.untilCase(runId, ({ status }) => status === "discharged");
    expect(healed).toMatchObject({ operations: 1, cost: 0 });
    expect(healed.history[0]?.attempts).toMatchObject([{ procedure: "triage", outcome: "healed", diff: [] }]);
    expect(system.endpoint.questions).toEqual([]);
    expect(system.handled.at(-1)).toEqual(WHOLE);
  });

  it("is a person's after two tries, and no third is made", async () => {
    const system = await openWithTool({ limits: { resendDelayMs: 1 } });
    system.startSurgeon();
    const { runId } = await system.submit(WHOLE);
    const left = await system.untilCase(runId, ({ status }) => status === "quarantined");
    expect(left).toMatchObject({ operations: 2, messages: 3 });
    expect(left.diagnosis).toContain("came back after 2 operations");
    // Three deliveries of each of three messages.
    expect(system.handled).toHaveLength(9);
  });

  it("goes back with its whole group when a person releases it as it is", async () => {
    const system = await openWithTool({ limits: { resendDelayMs: 1 } });
    system.startSurgeon();

    const runs = await Promise.all(Array.from({ length: 12 }, () => system.submit(WHOLE)));
    await vi.waitFor(async () => expect((await system.store.cases.counts()).quarantined).toBe(12), 60_000);
    system.tool.isAway = false;
    const [group] = await system.store.cases.groups.list({ offset: 0, limit: 5 });
    const decision = { decision: "release", by: "ada", why: "the tool is back" } as const;
    const fingerprint = group?.fingerprint ?? "";
    const planned = await applyToGroup(system, {
      fingerprint,
      ...decision,
      canary: 0,
      rate_per_second: 100,
    });
    const batch = () => findBatch(system.store, planned.batch_id);
    await vi.waitFor(
      async () => expect(await batch()).toMatchObject({ state: "planned", would_pass: 12 }),
      10_000,
    );
    await startBatch(system, planned.batch_id, "ada");
    for (const { runId } of runs) expect((await system.until(runId)).status).toBe("completed");
    expect(system.endpoint.questions).toEqual([]);
  });
});
