import { describe, expect, it, vi } from "vitest";
import { SutureError } from "#shared/errors";
import { applyToGroup, decide, findBatch, startBatch } from "#shared/ward";
import { openTheatre } from "../testing/surgeon-test-system.ts";
import type { Theatre } from "../testing/surgeon-test-system.ts";

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

/** A desk whose tool can be away. */
async function openDesk(
  limits: Parameters<typeof openTheatre>[0] = {},
): Promise<Theatre & { tool: { isAway: boolean } }> {
  const tool = { isAway: true };
  const theatre = await openTheatre({
    limits: { resendDelayMs: 100 },
    ...limits,
    handle: (input, ctx) => {
      if (tool.isAway) throw new ToolAwayError();
      return ctx.complete({ order_id: input.order_id });
    },
  });
  await theatre.world.start();
  return Object.assign(theatre, { tool });
}

describe("a letter that died because its agent's tool was away", () => {
  it("goes on as it stands when the tool is back, by itself and for no money", async () => {
    const theatre = await openDesk({ limits: { resendDelayMs: 1000 } });
    theatre.startSurgeon();
    const { runId } = await theatre.world.submit(WHOLE);
    const waiting = await theatre.untilCase(runId, ({ waits }) => waits !== null);
    expect(waiting).toMatchObject({ status: "admitted", operations: 0 });
    theatre.tool.isAway = false;
    expect((await theatre.world.until(runId)).status).toBe("completed");
    const healed = await theatre.untilCase(runId, ({ status }) => status === "discharged");
    expect(healed).toMatchObject({ operations: 1, cost: 0 });
    expect(healed.history[0]?.attempts).toMatchObject([{ procedure: "triage", outcome: "healed", diff: [] }]);
    expect(theatre.endpoint.questions).toEqual([]);
    expect(theatre.handled.at(-1)).toEqual(WHOLE);
  });

  it("is a person's after two tries, and no third is made", async () => {
    const theatre = await openDesk({ limits: { resendDelayMs: 1 } });
    theatre.startSurgeon();
    const { runId } = await theatre.world.submit(WHOLE);
    const left = await theatre.untilCase(runId, ({ status }) => status === "quarantined");
    expect(left).toMatchObject({ operations: 2, letters: 3 });
    expect(left.diagnosis).toContain("came back after 2 operations");
    // Three deliveries of each of three letters.
    expect(theatre.handled).toHaveLength(9);
  });

  it("goes back with its whole group when a person releases it as it is", async () => {
    const theatre = await openDesk({ limits: { resendDelayMs: 1 } });
    theatre.startSurgeon();
    const { world } = theatre;
    const runs = await Promise.all(Array.from({ length: 12 }, () => world.submit(WHOLE)));
    await vi.waitFor(async () => expect((await world.store.cases.counts()).quarantined).toBe(12), 10_000);
    theatre.tool.isAway = false;
    const [group] = await world.store.cases.groups.list({ offset: 0, limit: 5 });
    const decision = { decision: "release", by: "ada", why: "the tool is back" } as const;
    const fingerprint = group?.fingerprint ?? "";
    const planned = await applyToGroup(world, {
      fingerprint,
      ...decision,
      canary: 0,
      rate_per_second: 100,
    });
    const batch = () => findBatch(world.store, planned.batch_id);
    await vi.waitFor(
      async () => expect(await batch()).toMatchObject({ state: "planned", would_pass: 12 }),
      10_000,
    );
    await startBatch(world, planned.batch_id, "ada");
    for (const { runId } of runs) expect((await world.until(runId)).status).toBe("completed");
    expect(theatre.endpoint.questions).toEqual([]);
  });

  it("goes back from quarantine at once when a person asks for another try", async () => {
    const theatre = await openDesk({ limits: { resendDelayMs: 1 } });
    theatre.startSurgeon();
    const { world } = theatre;
    const { runId } = await world.submit(WHOLE);
    const { case_id } = await theatre.untilCase(runId, ({ status }) => status === "quarantined");
    theatre.tool.isAway = false;
    await decide(world, {
      case_id,
      decision: "operate",
      by: "ada",
      why: "the tool is back",
    });
    expect((await world.until(runId)).status).toBe("completed");
  });
});
