import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handoffOf, openSupport } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});
afterEach(() => system.shop.close());

const lead = {
  customer_email: "karen@brightlabs.example",
  summary: "Asks for a quote.",
  text: "A quote, please.",
};
const scored = (score: unknown) => system.runtime.answers.set("sales/score", { score, reasons: ["seats"] });
const LEADS = "/sandbox/crm/leads";

describe("sales", () => {
  test("enters a lead into the CRM at 51", async () => {
    scored(51);
    const { to, payload } = handoffOf(await system.runtime.deliver("sales", lead));
    expect(to).toBe("reply");
    expect(payload).toMatchObject({ outcome: "lead_welcomed", facts: [{ value: "leads-1" }] });
    expect(system.shop.done(LEADS)[0]?.body).toMatchObject({ score: 51, company: null, seats: null });
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

  test("enters one lead for one run, however often its message comes", async () => {
    scored(80);
    const run_id = "0199aaaa-0000-7000-8000-000000000004";
    await system.runtime.deliver("sales", lead, { run_id });
    await system.runtime.deliver("sales", lead, { run_id });
    expect(system.shop.done(LEADS)).toHaveLength(1);
  });
});
