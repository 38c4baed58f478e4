import { expect, it } from "vitest";
import { openTestStore } from "#shared/testing";
import { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "./endpoint-circuits.ts";

const rule = ENDPOINT_CIRCUIT_RULE_DEFAULT;
const ENDPOINT = { url: "http://model.example/v1", model: "m" };

it("leaves an endpoint alone for no longer than our own rule says, whatever time it asks for", async () => {
  const { endpoints } = openTestStore();
  for (let n = 0; n < rule.failuresMax + 1; n += 1)
    await endpoints.report(ENDPOINT, {
      rule,
      probe: null,
      outcome: "failed",
      reason: "rate_limited",
      retryAfterMs: 1e12,
      clearedByAnswerSinceMs: null,
      answeredMs: 0,
      host: "model.example",
    });
  const { verdict, waitMs } = await endpoints.admit(ENDPOINT, {
    rule,
    token: "t",
    leaseMs: 1000,
    isFirst: false,
  });
  expect(verdict).toBe("wait");
  expect(waitMs).toBeGreaterThan(1000);
  expect(waitMs).toBeLessThanOrEqual(rule.probeMsMax);
});
