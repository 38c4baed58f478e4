import { expect, it } from "vitest";
import { ApprovalNeededError } from "#shared/context";
import { SURGEON_ID } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { BudgetExceededError } from "#shared/envelope/limits";
import { decisionOn } from "./healed-answer.ts";
import type { Delivery } from "./delivery.ts";
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
