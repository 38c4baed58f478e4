import { beforeEach, describe, expect, test } from "vitest";
import { handoffOf, openSupport } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";
import { ESCALATION_CAUSES } from "../contracts.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});

const lead = {
  customer_email: "karen@brightlabs.example",
  summary: "Asks for a quote.",
  text: "A quote, please.",
};
const scored = (score: unknown) => system.runtime.answers.set("sales/score", { score, reasons: ["seats"] });
const LEADS = "/sandbox/crm/leads";

describe("sales", () => {
  test("enters a lead into the CRM at 51, once for one run, however often its message comes", async () => {
    scored(51);
    const run_id = "0199aaaa-0000-7000-8000-000000000004";
    const { to, payload } = handoffOf(await system.runtime.deliver("sales", lead, { run_id }));
    await system.runtime.deliver("sales", lead, { run_id });
    expect(to).toBe("reply");
    expect(payload).toMatchObject({ outcome: "lead_welcomed", facts: [{ value: "leads-1" }] });
    expect(system.shop.done(LEADS)).toMatchObject([{ body: { score: 51, company: null, seats: null } }]);
  });

  test.each([50, 0])("archives a lead at %d", async (score) => {
    scored(score);
    const outcome = await system.runtime.deliver("sales", lead);
    expect(outcome).toMatchObject({ kind: "completed", result: { status: "archived", score } });
    expect(system.shop.done(LEADS)).toHaveLength(0);
  });

  test.each([101, -1, 50.5, "80"])("takes no score such as %j", async (score) => {
    scored(score);
    await expect(system.runtime.deliver("sales", lead)).rejects.toMatchObject({
      failureClass: "validation_error",
    });
  });
});

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
});

test.each(ESCALATION_CAUSES)(
  "puts %s into the people's inbox once and ends the run with the packet",
  async (cause) => {
    const { runtime, shop } = await openSupport();
    const request = {
      cause,
      findings: ["the sum is above the price"],
      customer_email: "j@lawmail.example",
      summary: "Threatens a lawsuit.",
      text: "This is RIDICULOUS!!! I want my money. My lawyer will hear of it.",
    };
    const run_id = "0199aaaa-0000-7000-8000-000000000007";
    const outcome = await runtime.deliver("escalation", request, { run_id });
    await runtime.deliver("escalation", request, { run_id });
    expect(outcome).toMatchObject({
      kind: "completed",
      result: { status: "escalated", cause, ticket_id: "tickets-1", packet: { tone: "angry" } },
    });
    const [ticket, second] = shop.done("/sandbox/tickets");
    expect(second).toBeUndefined();
    expect(ticket?.body).toMatchObject({ queue: "people" });
    expect(String(ticket?.body["body"])).toContain("the sum is above the price");
  },
);
