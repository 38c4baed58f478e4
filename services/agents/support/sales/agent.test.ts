import { beforeEach, describe, expect, test } from "vitest";
import { openSupport } from "../testing/open-support.ts";
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
const enter = (score: unknown) => {
  system.answers["sales/score"] = () => ({ score, reasons: ["seats"] });
  return system.run(lead, { to: "sales" });
};
const LEADS = "/sandbox/crm/leads";

describe("sales", () => {
  test("enters a lead into the CRM at 51, once for one run, also where the answer was lost", async () => {
    system.shop.breakNextEffect();
    const body = expect.stringContaining("leads-1");
    expect(await enter(51)).toMatchObject({ result: { outcome: "lead_welcomed", body } });
    expect(system.shop.done(LEADS)).toMatchObject([{ body: { score: 51, company: null, seats: null } }]);
  });

  test.each([50, 0])("archives a lead at %d", async (score) => {
    expect(await enter(score)).toMatchObject({ status: "completed", result: { status: "archived", score } });
    expect(system.shop.done(LEADS)).toHaveLength(0);
  });

  test.each([101, -1, 50.5, "high"])("takes no score such as %j", async (score) => {
    expect(await enter(score)).toMatchObject({ error: { class: "validation_error" } });
  });
});

test("notes a wish once for the product people and thanks for it", async () => {
  system.shop.breakNextEffect();
  const wish = {
    idea: "Webhooks for stock changes",
    customer_email: "dev@studio.example",
    summary: "Wants webhooks.",
    text: "Webhooks would be great because polling is wasteful.",
  };
  const { result } = await system.run(wish, { to: "feature-requests" });
  expect(result).toMatchObject({ outcome: "idea_noted", body: expect.stringContaining("tickets-1") });
  expect(system.shop.done("/sandbox/tickets").map(({ body }) => body["title"])).toEqual([
    "[other] Webhooks for stock changes",
  ]);
});

test.each(ESCALATION_CAUSES)(
  "puts %s into the people's inbox once and ends the run with the packet",
  async (cause) => {
    system.shop.breakNextEffect();
    const request = {
      cause,
      findings: ["the sum is above the price"],
      customer_email: "j@lawmail.example",
      summary: "Threatens a lawsuit.",
      text: "This is RIDICULOUS!!! I want my money. My lawyer will hear of it.",
    };
    expect(await system.run(request, { to: "escalation" })).toMatchObject({
      status: "completed",
      result: { status: "escalated", cause, ticket_id: "tickets-1", packet: { tone: "angry" } },
    });
    const [ticket, second] = system.shop.done("/sandbox/tickets");
    expect(second).toBeUndefined();
    expect(ticket?.body).toMatchObject({ queue: "people" });
    expect(String(ticket?.body["body"])).toContain("the sum is above the price");
  },
);
