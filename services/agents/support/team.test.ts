import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { timestamp } from "#shared/clock";
import { checkPayload } from "#shared/contract";
import { recordingKey } from "#shared/runtime/tools";

import { SupportEmail } from "./contracts.ts";
import { readEmail, readMailbox } from "./read-email.ts";
import { openSupport } from "./testing/open-support.ts";
import type { SupportSystem } from "./testing/open-support.ts";
import { readEmailSamples } from "./testing/read-samples.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});

describe("the support team", () => {
  test("has a recorded answer of the router for every sample e-mail, as its label has it", () => {
    const file = readFileSync(new URL("recordings/support.jsonl", import.meta.url), "utf8");
    const lines = file.trimEnd().split("\n");
    const recorded = new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.key, one.answer]));
    for (const { id, email, label } of readEmailSamples()) {
      const key = recordingKey("requests", readEmail(checkPayload(SupportEmail, email)));
      const [first] = recorded.get(key)?.requests ?? [];
      expect(first, id).toMatchObject({ route: label.route, language: label.language });
    }
  });

  test("brings every sample e-mail to one of its three ends", async () => {
    const samples = readEmailSamples();
    expect(samples.length).toBeGreaterThanOrEqual(72);
    const runs = samples.map(async ({ id, email }) => ({ id, ...(await system.run(email)) }));
    const status = expect.stringMatching(/^(answered|escalated|archived)$/);
    for (const { id, result } of await Promise.all(runs)) expect(result, id).toMatchObject({ status });
  });

  test("pays a labelled refund once, from the e-mail to the answer", async () => {
    const sample = readEmailSamples().find(
      ({ label }) => label.route === "refunds" && label.amount !== undefined,
    );
    const { order_id = "", amount = 0, currency = "" } = sample?.label ?? {};
    const customer_email = readMailbox(String(sample?.email["from"]));
    system.shop.addOrder({ order_id, total: amount, currency, bought_at: timestamp(), customer_email });
    const first = await system.run(sample?.email);
    const second = await system.run(sample?.email);
    expect(first).toMatchObject({ path: ["triage", "refunds", "reply"], result: { outcome: "refund_paid" } });
    expect(second.result).toMatchObject({ outcome: "already_refunded" });
    expect(system.shop.done("/sandbox/payments/refunds").map(({ body }) => body)).toMatchObject([
      { order_id, amount, currency },
    ]);
  });
});
