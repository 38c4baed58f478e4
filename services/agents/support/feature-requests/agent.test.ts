import { expect, test } from "vitest";
import { handoffOf, openSupport } from "../testing/open-support.ts";

test("notes a wish once for the product people and thanks for it", async () => {
  const { runtime, shop } = await openSupport();
  const wish = {
    idea: "Webhooks for stock changes",
    customer_email: "dev@studio.example",
    summary: "Wants webhooks.",
    text: "Webhooks would be great because polling is wasteful.",
  };
  const run_id = "0199aaaa-0000-7000-8000-000000000005";
  const { to, payload } = handoffOf(await runtime.deliver("feature-requests", wish, { run_id }));
  await runtime.deliver("feature-requests", wish, { run_id });
  expect(to).toBe("reply");
  expect(payload).toMatchObject({ outcome: "idea_noted", facts: [{ value: "tickets-1" }] });
  expect(shop.done("/sandbox/tickets").map(({ body }) => body["title"])).toEqual([
    "[other] Webhooks for stock changes",
  ]);
  await shop.close();
});
