import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { complete } from "./support/model-endpoint.ts";
import type { Behaviour, ModelEndpoint } from "./support/model-endpoint.ts";
import { openModel } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";

/** No bad message leaves the ward, whatever the strong model's endpoint answers. */

const Transfer = contract(
  "bank.transfer@1",
  z.strictObject({
    account: z
      .string()
      .regex(/^DE\d{4}$/)
      .meta({ "x-locked": true }),
    urgency: z.enum(["low", "high"]),
    reference: z.string().regex(/^R-\d{3}$/),
  }),
);

const API_KEY = "sk-canary-0123456789abcdefghijklmnop";
const MESSAGE = { account: "DE1234", urgency: "as soon as you possibly can", reference: "R-777" };

let handled: unknown[];
let system: TestSystem;
let endpoint: ModelEndpoint;

beforeEach(async () => {
  handled = [];
  const bank = agent("bank@1", {
    accepts: Transfer,
    handle: (input, ctx) => {
      handled.push(input);
      return ctx.complete(input);
    },
  });
  system = createTestSystem(team("money", [bank]));
  const opened = await openModel(system.team, {
    apiKey: API_KEY,
    models: { router: "m", worker: "m", surgeon: "m" },
    timeoutMs: 700,
  });
  endpoint = opened.endpoint;
  // A model without a listed price counts as the dearest; the limits must leave room for that.
  const limits = {
    waitMsMin: 50,
    modelTimeoutMs: 700,
    surgeonCostPerCase: 10,
    surgeonCostPerHour: 1000,
    tenantShare: 1,
  };
  operateOn(system, { model: opened.model, limits, upkeepMs: 100 });
});

async function submit(behave: Behaviour): Promise<string> {
  endpoint.behave = behave;
  await system.start();
  const { runId } = await system.submit(MESSAGE, {
    user: { original_query: "Please transfer it, reference R-777. The urgency is high." },
  });
  return runId;
}

async function caseOf(runId: string): Promise<WardCase | undefined> {
  return (await findCases(system.store, { filter: { run_id: runId }, limit: 5 })).cases[0];
}

function repair(payload: unknown): string {
  return JSON.stringify({
    verdict: "repaired",
    payload: JSON.stringify(payload),
    // Both as a repair and as what a second reader reads.
    quotes: [{ quote: MESSAGE.urgency, path: "/urgency" }],
    reason: "because",
    recipe: null,
  });
}

const HIGH = { ...MESSAGE, urgency: "high" };

describe("a strong model that answers", () => {
  it("well, heals the message; it was asked with a strict schema, and told no secret", async () => {
    const runId = await submit(() => repair(HIGH));
    const run = await system.until(runId, ["completed", "quarantined"]);
    expect(run, JSON.stringify(await caseOf(runId))).toMatchObject({ status: "completed", result: HIGH });
    const [asked] = endpoint.seen;
    expect(asked?.body.response_format?.json_schema).toMatchObject({ strict: true });
    const said = JSON.stringify(asked?.body);
    const secrets = [API_KEY, system.master, ...secretsIn(system.keyring.exportJson())];
    for (const secret of secrets) expect(said).not.toContain(secret);
    expect(said).not.toContain("redis://");
  });

  const never: readonly (readonly [string, Behaviour])[] = [
    ["with another shape", () => repair({ account: "DE1234", priority: "high" })],
    [
      "that nothing can be done",
      () => JSON.stringify({ verdict: "irreparable", payload: "", reason: "no", recipe: null }),
    ],
    ["with half an answer", () => '{"verdict": "repaired", "payload": "{\\"account\\": \\"DE12'],
    ["with a refusal", () => (response: ServerResponse) => refuse(response)],
    [
      "with 10 MB",
      () => (response: ServerResponse) => complete(response, { text: "x".repeat(10_000_000), model: "m" }),
    ],
  ];

  it.each(never)("%s, leaves the message to a person", async (_name, behave) => {
    const runId = await submit(behave);
    const run = await system.until(runId, ["completed", "failed", "quarantined"]);
    expect(run.status).toBe("quarantined");
    expect(endpoint.seen.length).toBeGreaterThan(0);
    expect(handled).toEqual([]);
    expect((await caseOf(runId))?.status).toBe("quarantined");
  });

  const waits: readonly (readonly [string, Behaviour])[] = [
    ["never", () => () => undefined],
    [
      "HTML with 200",
      () => (response: ServerResponse) => void response.writeHead(200).end("<html>login</html>"),
    ],
  ];

  it.each(waits)(
    "%s, makes the case wait, and heals it when the endpoint is well again",
    async (_name, trouble) => {
      let calls = 0;
      const runId = await submit((request) => {
        calls += 1;
        return calls === 1 ? trouble(request) : repair(HIGH);
      });
      const run = await system.until(runId, ["completed", "failed", "quarantined"]);
      expect(run).toMatchObject({ status: "completed", result: HIGH });
      expect(handled).toEqual([HIGH]);
    },
  );
});

function refuse(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const message = { role: "assistant", content: null, refusal: "I will not." };
  response.end(
    JSON.stringify({
      id: "x",
      object: "chat.completion",
      model: "m",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    }),
  );
}

function secretsIn(keyFile: string): string[] {
  return [...keyFile.matchAll(/"secret":\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}
