import fc from "fast-check";
import { expect, it, describe, test } from "vitest";
import { ApprovalNeededError } from "#shared/context";
import { SURGEON_ID } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { BudgetExceededError } from "#shared/envelope/limits";
import { INPUT_CHARS_MAX, recordInput, restoreInput } from "../accounts/recorded-input.ts";
import type { Delivery } from "./delivery.ts";
import { decisionOn } from "./healed-answer.ts";
import { PoisonIsolation } from "./poison-isolation.ts";
import { checkRunRules } from "./read-terms.ts";

const SHOWN = { call_id: "answer/1.0", tool: "pay", arguments: { order: "A-1", amount: 5 } };

/** A delivery of a discharge with a person's decision on `SHOWN`. */
const delivery = (source: string): Delivery =>
  ({
    place: { agent: { id: "desk@1" }, limits: { resultBytesMax: 1000 } },
    message: {
      envelope: {
        meta: { source_agent: source },
        conversation: {
          tool_state: { answers: { "approval/answer/1.0": { call: SHOWN, approved: true } } },
        },
      },
    },
    // Only these members are read.
  }) as unknown as Delivery;

it("takes a person's word for the call that was shown, whatever the order of its arguments", () => {
  const call = { ...SHOWN, arguments: { amount: 5, order: "A-1" } };
  expect(decisionOn(delivery(SURGEON_ID), call)).toEqual({ approved: true, note: "" });
});

it.each([
  ["another amount", { ...SHOWN, arguments: { order: "A-1", amount: 500 } }, SURGEON_ID],
  ["another tool", { ...SHOWN, tool: "delete" }, SURGEON_ID],
  ["a decision that no surgeon signed", SHOWN, "desk@1"],
])("takes it for no other: %s", (_what, call, source) => {
  expect(() => decisionOn(delivery(source), call)).toThrow(ApprovalNeededError);
});

it("refuses a message whose run has spent more than its task allows, though its own budget is larger", () => {
  const spent = (cost: number): Envelope =>
    ({
      task_context: { constraints: ["max_cost_usd=1"] },
      billing: { cost_so_far: cost, cost_limit: 9, tokens_consumed: 0, token_limit: 9 },
      // Only these members are read.
    }) as unknown as Envelope;
  expect(() => checkRunRules("a@1", spent(0.9), 0)).not.toThrow();
  expect(() => checkRunRules("a@1", spent(1.1), 0)).toThrow(BudgetExceededError);
});

const never = new AbortController().signal;

/** Work that runs until `end`, and which work ran at the same time. */
function openWork() {
  const atWork = new Set<string>();
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    atWork.add(name);
    seen.push([...atWork].toSorted().join("+"));
    await new Promise<void>((resolve) => ends.set(name, resolve));
    atWork.delete(name);
    return name;
  };
  const isAtWork = (name: string) => expect.poll(() => atWork.has(name)).toBe(true);
  return { work, seen, isAtWork, end: (name: string) => ends.get(name)?.() };
}

describe("messages whose worker died", () => {
  it("are handled one at a time, beside fresh ones", async () => {
    const { work, seen, isAtWork, end } = openWork();
    const isolation = new PoisonIsolation();
    const fresh = isolation.runBesideOthers(never, work("fresh"));
    const first = isolation.run({ signal: never, isLastChance: false }, work("first"));
    const second = isolation.run({ signal: never, isLastChance: false }, work("second"));
    await isAtWork("first");
    end("first");
    await isAtWork("second");
    end("second");
    end("fresh");
    expect(await Promise.all([fresh, first, second])).toEqual(["fresh", "first", "second"]);
    expect(seen).toEqual(["fresh", "first+fresh", "fresh+second"]);
  });

  it("have the process to themselves at their last chance, and the others go on afterwards", async () => {
    const { work, seen, isAtWork, end } = openWork();
    const isolation = new PoisonIsolation();
    const before = isolation.runBesideOthers(never, work("before"));
    const suspect = isolation.run({ signal: never, isLastChance: true }, work("suspect"));
    await isAtWork("before");
    const after = isolation.runBesideOthers(never, work("after"));
    end("before");
    await isAtWork("suspect");
    end("suspect");
    await isAtWork("after");
    end("after");
    await Promise.all([before, suspect, after]);
    expect(seen).toEqual(["before", "suspect", "after"]);
  });
});

const long = "The parcel with the blue vase never came, and nobody knows where it went. ".repeat(10);

test("gives any input back as it was, with and without what stands in the message", () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom(long, long.slice(40, 400), long.slice(100)));
  const value = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf, { maxLength: 4 })), { maxKeys: 5 });
  fc.assert(
    fc.property(value, value, (input, payload) => {
      const text = JSON.stringify(input);
      const recorded = recordInput(text, payload);
      fc.pre(recorded.head === undefined);
      // As Redis gives it back.
      const kept = JSON.parse(JSON.stringify(recorded)) as typeof recorded;
      expect(JSON.stringify(restoreInput(kept, payload))).toBe(JSON.stringify(JSON.parse(text)));
      expect(recorded.chars).toBe(text.length);
    }),
  );
});

test("keeps the beginning of what is too large, without half of a character", () => {
  const text = JSON.stringify({ text: "😀".repeat(INPUT_CHARS_MAX) });
  const { head, chars } = recordInput(text, {});
  expect(head?.length).toBeLessThanOrEqual(INPUT_CHARS_MAX);
  expect(head?.isWellFormed()).toBe(true);
  expect(chars).toBe(text.length);
});
