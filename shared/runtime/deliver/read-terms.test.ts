import { expect, it } from "vitest";
import type { Envelope } from "#shared/envelope";
import { BudgetExceededError } from "#shared/envelope/limits";
import { checkRunRules } from "./read-terms.ts";

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
