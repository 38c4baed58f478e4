import { expect, it } from "vitest";
import { ApprovalNeededError } from "#shared/context";
import { SURGEON_ID } from "#shared/envelope";
import { decisionOn } from "./approve-call.ts";
import type { Delivery } from "./delivery.ts";

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
