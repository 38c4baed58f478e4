import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { deriveHops, readCursor, writeCursor } from "#shared/api/run-views";
import { setClock, sleep } from "#shared/clock";
import type { RunEvent } from "#shared/store/runs";
import { balance } from "#shared/store/upkeep";
import { digestRequest } from "../operations/request-fields.ts";
import { originalQueryOf } from "./read-input.ts";
import { remember } from "./measure.ts";

/** The same value with the fields of its objects in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

describe("the digest of a request", () => {
  it("does not depend on the order of fields, and tells different requests apart", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(digestRequest("x", reversed(one))).toBe(digestRequest("x", one));
        const isSame = digestRequest("x", one) === digestRequest("x", other);
        // -0 and 0 are one number in JSON.
        const [left, right] = [one, other].map((value) => JSON.parse(JSON.stringify(value)));
        if (isSame) expect(left).toEqual(right);
        expect(digestRequest("y", one)).not.toBe(digestRequest("x", one));
      }),
    );
  });
});

describe("the original query", () => {
  it("is text that fits into an envelope, whatever the input", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 0, maxLength: 50 })
      .map((part) => part.repeat(1000));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          text,
          text.map((body) => ({ body })),
        ),
        (input) => {
          const query = originalQueryOf(input);
          expect(Buffer.byteLength(query)).toBeLessThanOrEqual(65_536);
          const last = query.charCodeAt(query.length - 1);
          if (query.length >= 19_999) expect(last >= 0xd800 && last <= 0xdbff).toBe(false);
        },
      ),
    );
  });

  it.each([
    [{ body: "b", text: "t" }, "b"],
    [{ text: "t", query: "q" }, "t"],
    [{ body: "", message: "m" }, "m"],
    [{ body: 1 }, '{"body":1}'],
    ["plain", "plain"],
    [null, "null"],
    [["a"], '["a"]'],
  ])("of %j is %j", (input, query) => {
    expect(originalQueryOf(input)).toBe(query);
  });
});

describe("a run's hops", () => {
  const event = (
    type: RunEvent["type"],
    message_id: string | null,
    detail: RunEvent["detail"],
  ): RunEvent => ({
    id: "e",
    run_id: "r",
    type,
    at: `2026-01-01T00:00:00.${String(Number(detail["n"] ?? 0)).padStart(3, "0")}Z`,
    message_id,
    agent: "a",
    detail,
  });

  it("are made of any detail without failing", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(
            fc.constantFrom("hop", "attempt", "ms", "cost", "next", "model", "accepted_at"),
            fc.jsonValue(),
          ),
        ),
        (details) => {
          for (const hop of deriveHops(details.map((detail) => event("retry", "m", detail)))) {
            expect(Number.isFinite(hop.ms + hop.cost + hop.tokens)).toBe(true);
          }
        },
      ),
    );
  });
});

describe("a cursor", () => {
  it("is read as it was written, and nothing else is", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 1e14 }), fc.string(), (runId, createdMs, text) => {
        expect(readCursor(writeCursor({ createdMs, runId }))).toEqual({ createdMs, runId });
        const read = readCursor(text);
        if (read !== undefined) expect(Number.isSafeInteger(read.createdMs)).toBe(true);
      }),
    );
  });
});

describe("the equation", () => {
  it("says so when a run is unaccounted for", () => {
    const counts = {
      submitted: 7,
      queued: 1,
      running: 1,
      in_ward: 1,
      quarantined: 1,
      completed: 1,
      failed: 1,
      cancelled: 1,
      expired: 0,
    };
    const nothing = { lost: [], differs: [], shardsAway: 0 };
    expect(balance(counts, nothing)).toMatchObject({ waiting: 4, lost: 0, balanced: true });
    expect(balance({ ...counts, running: 0 }, nothing)).toMatchObject({ waiting: 3, balanced: false });
    const one = { run_id: "r", message_id: "m", agent: "a", state: "open", rank: 0, since_ms: 0 } as const;
    expect(balance(counts, { ...nothing, lost: [one] })).toMatchObject({ lost: 1, balanced: false });
    const differs = [{ status: "queued", counted: 1, listed: 0 }];
    expect(balance(counts, { ...nothing, differs })).toMatchObject({ lost: 0, balanced: false });
  });
});

describe("remembering an answer", () => {
  it("asks again after its while, though the machine's time was set back meanwhile", async () => {
    let asked = 0;
    const ask = remember(20, async () => (asked += 1));
    expect([await ask(), await ask()]).toEqual([1, 1]);
    onTestFinished(setClock({ now: () => Date.now() - 3_600_000 }));
    await sleep(40);
    expect(await ask()).toBe(2);
  });
});
