import { expect, test } from "vitest";
import { ESCALATION_CAUSES } from "../contracts.ts";
import { openSupport } from "../testing/open-support.ts";

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
    await shop.close();
  },
);
