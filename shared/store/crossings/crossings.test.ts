import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derivedId, uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import { rankOf } from "../runs/run-event.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { Crossing } from "./crossing-store.ts";
import { readChange } from "./read-change.ts";

function crossing(runId: string, more: Partial<Crossing> = {}): Crossing {
  const jobId = derivedId(runId, "crossing");
  return {
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "desk",
    send: { lane: "fresh", agent: "desk", jobId, data: { sealed: "x" }, delayMs: 0, priority: "normal" },
    digest: "d-1",
    from: "home",
    home: "home",
    firstSentMs: Date.now(),
    memoryMs: 3_600_000,
    ...more,
  };
}

function closing(runId: string, messageId: string, more: Partial<RunChange> = {}): RunChange {
  return {
    event: {
      id: `${messageId}/completed`,
      run_id: runId,
      type: "completed",
      at: "2026-01-01T00:00:00.000Z",
      message_id: messageId,
      agent: "desk",
      detail: {},
    },
    moves: { state: "closed", rank: rankOf.closed() },
    ...more,
  };
}

describe("a message from another cluster", () => {
  it("is planted once, with its run's record, and known ever after", async () => {
    const store = openTestStore();
    const asked = crossing(uuidv7());
    const both = await Promise.all([store.crossings.plant(asked), store.crossings.plant(asked)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["known", "taken"]);
    expect(await store.runs.counts()).toMatchObject({ submitted: 1, queued: 1 });
    expect((await store.runs.get(asked.runId)).messages.open).toBe(1);
    expect(await store.queues.of("desk", "fresh").getWaitingCount()).toBe(1);
    expect(await store.crossings.plant({ ...asked, digest: "d-2" })).toEqual({ kind: "foreign" });
  });

  it.each(["together", "outbox"] as const)(
    "makes an ended guest go on, where hands over is %s",
    async (handover) => {
      const store = openTestStore({ handover });
      const asked = crossing(uuidv7());
      await store.crossings.plant(asked);
      await store.journal.apply([closing(asked.runId, asked.send.jobId)]);
      expect(await store.runs.get(asked.runId)).toMatchObject({ status: "completed" });
      const second = derivedId(asked.runId, "second");
      const planted = await store.crossings.plant({ ...asked, send: { ...asked.send, jobId: second } });
      expect(planted).toMatchObject({
        kind: "taken",
        entry: handover === "together" ? null : { id: `${second}/arrived` },
      });
      expect(await store.runs.get(asked.runId)).toMatchObject({ status: "running", ended_ms: null });
      expect(await store.redis.pttl(store.keys.run(asked.runId))).toBe(-1);
      expect(await store.runs.counts()).toMatchObject({ submitted: 1, running: 1, completed: 0 });
      await store.journal.apply([closing(asked.runId, second)]);
      expect(await store.runs.counts()).toMatchObject({ submitted: 1, running: 0, completed: 1 });
    },
  );

  it("is refused where it was first sent before the memory begins", async () => {
    const store = openTestStore();
    const old = crossing(uuidv7(), { firstSentMs: Date.now() - 3_700_000 });
    expect(await store.crossings.plant(old)).toEqual({ kind: "forgotten" });
    expect(await store.runs.counts()).toMatchObject({ submitted: 0 });
  });

  it("that comes home joins the record that is there, and is told to nobody else", async () => {
    const store = openTestStore();
    const guest = crossing(uuidv7());
    await store.crossings.plant({ ...guest, home: null });
    expect(await store.runs.find(guest.runId)).toBeNull();
    expect(await store.queues.of("desk", "fresh").getWaitingCount()).toBe(1);
    expect(await store.redis.keys("*returns*")).toEqual([]);
  });
});

describe("what happens to a guest", () => {
  it("is told home word for word, once, except what it handed back", async () => {
    const store = openTestStore();
    const asked = crossing(uuidv7());
    await store.crossings.plant(asked);
    const next = derivedId(asked.runId, "next");
    const change = closing(asked.runId, asked.send.jobId, {
      opens: [{ message_id: next, agent: "report", branch: "f/0" }],
      result: { text: "ünï\n\u0000😀/" },
      error: ["x"],
      cost: 0.000_123,
      tokens: 7,
      end: "failed",
      starts: true,
    });
    await store.journal.apply([change, change]);
    await store.journal.apply([change]);
    const away = { ...closing(asked.runId, next), moves: { state: "away", rank: rankOf.away() } } as const;
    await store.journal.apply([{ ...away, event: { ...away.event, id: "away", type: "carried" } }]);
    expect((await store.runs.get(asked.runId)).status).toBe("failed");
    const returns = await store.crossings.returns("home", 10);
    expect(returns.map(({ run_id }) => run_id)).toEqual([asked.runId, asked.runId]);
    expect(readChange(returns[1] ?? { run_id: "", change: [] })).toEqual(change);
    await store.crossings.forgetReturns(
      "home",
      returns.map(({ id }) => id),
    );
    expect(await store.crossings.countReturns("home")).toBe(0);
  });

  it("can be read back whatever it is, and no other texts are taken for it", async () => {
    const store = openTestStore();
    const json = fc.jsonValue({ maxDepth: 2 });
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
    const id = fc.integer({ min: 1 }).map((n) => derivedId("message", String(n)));
    const changes = fc.record({
      detail: fc.dictionary(word, json),
      moves: fc.record({
        state: fc.constantFrom(
          "open" as const,
          "in_ward" as const,
          "quarantined" as const,
          "closed" as const,
        ),
        rank: fc.nat(1_000_000_000),
      }),
      opens: fc.array(fc.record({ message_id: id, agent: word }), { maxLength: 5 }),
      cost: fc.nat(1_000_000).map((micro) => micro / 1_000_000),
      tokens: fc.nat(),
      starts: fc.boolean(),
      result: json,
    });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(30), async ({ detail, ...more }, cut) => {
        const asked = crossing(uuidv7());
        await store.crossings.plant(asked);
        const base = closing(asked.runId, asked.send.jobId, more);
        const change = { ...base, event: { ...base.event, detail } };
        await store.journal.apply([change]);
        const returns = await store.crossings.returns("home", 10);
        const told = returns.at(-1) ?? { run_id: "", change: [] };
        expect(JSON.parse(JSON.stringify(readChange(told)))).toEqual(JSON.parse(JSON.stringify(change)));
        const broken = { ...told, change: told.change.toSpliced(cut % told.change.length, 1) };
        expect(() => readChange(broken)).toThrow(expect.objectContaining({ code: "STORE_RETURN_MALFORMED" }));
        await store.crossings.forgetReturns(
          "home",
          returns.map(({ id: entry }) => entry),
        );
      }),
      { numRuns: 60 },
    );
  });
});
