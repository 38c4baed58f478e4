import { expect, test } from "vitest";
import { OUTAGES, planFault } from "./faults.ts";
import type { Outage } from "./faults.ts";
import { clientOf, openServer } from "./testing/open-server.ts";

const faults = { faultRate: 1, seed: 5 };

async function ask(input: string, more: { agent?: string; step?: string; timeoutMs?: number } = {}) {
  const client = clientOf(await openServer({ findStandIn: () => () => ({ ok: true }), ...faults }));
  return client.ask({
    tier: "surgeon",
    instructions: "",
    input,
    schemaName: "a",
    jsonSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
    signal: new AbortController().signal,
    agent: "a@1",
    step: "s",
    ...more,
  });
}

/** An input that meets this outage, and one that no other test has asked about. */
function inputFor(outage: Outage, from = 0): string {
  for (let index = from; index < from + 20_000; index += 1) {
    const inputText = JSON.stringify({ index });
    const fault = planFault({ agent: "a@1", step: "s", inputText, attempt: 1, reask: 0 }, faults);
    if (fault.kind === "outage" && fault.outage === outage) return inputText;
  }
  throw new Error(`no input meets ${outage}`);
}

const expected: Readonly<Record<Outage, object>> = {
  refusal: { code: "MODEL_REFUSAL" },
  rate_limit: { code: "MODEL_RATE_LIMITED", retryAfterMs: 1_000 },
  server_error: { code: "MODEL_UNAVAILABLE", status: 500 },
  hang: { code: "MODEL_UNAVAILABLE", reason: "connection" },
};

test.each(OUTAGES)("a rehearsed %s reaches the client as the error of its kind", async (outage) => {
  await expect(ask(inputFor(outage))).rejects.toMatchObject(expected[outage]);
});

test("a hang ends as a time-out for a client that is less patient", async () => {
  await expect(ask(inputFor("hang", 30_000), { timeoutMs: 20 })).rejects.toMatchObject({
    code: "MODEL_TIMEOUT",
  });
});

test("the surgeon's questions are answered without any team: that no model is set", async () => {
  const inputs = Array.from({ length: 12 }, (_, index) => JSON.stringify({ message: `{"n":${index}}` }));
  const asked = inputs.map((input) => ask(input, { agent: "surgeon@1", step: "repair" }));
  const answers = await Promise.allSettled(asked);
  const texts = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value.text] : []));
  expect(texts.some((text) => /No model is set/.test(text))).toBe(true);
});
