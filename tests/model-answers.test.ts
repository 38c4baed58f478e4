import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { openModelSystem } from "./support/open-model-system.ts";

/** What becomes of a model's answer that says one thing twice, or null for what it leaves out. */

const Note = contract("note@1", z.object({ text: z.string() }));
const Payment = contract(
  "payment@1",
  z.strictObject({
    amount: z.number().meta({ "x-locked": true }),
    note: z.string().optional(),
    lines: z.array(z.strictObject({ sku: z.string(), count: z.int() })).optional(),
  }),
);
/** No endpoint can be asked to enforce it: its scores may have any names. */
const Score = contract(
  "score@1",
  z.strictObject({
    scores: z.record(z.string(), z.number()),
    account: z.string().meta({ "x-locked": true }).optional(),
  }),
);

/** An agent whose model answers with the texts in turn, the last one again and again; it completes with the value. */
async function askModel(answers: Contract, texts: readonly string[]) {
  const teller = agent("teller@1", {
    accepts: Note,
    answers: [answers],
    handle: async (note, ctx) =>
      ctx.complete(await ctx.model("read", { instructions: "Read it.", input: note, answers })),
  });
  const { system, endpoint } = await openModelSystem(team("bank", [teller]));
  endpoint.behave = () => texts[Math.min(endpoint.seen.length, texts.length) - 1] ?? null;
  const { runId } = await system.submit({ text: "pay 42.50" });
  const run = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
  return { run, asked: endpoint.seen.length };
}

const GOOD = '{"amount":42.5}';

describe("a name twice in one object", () => {
  it.each([
    ["with two values", '{"amount":42.5,"amount":9000}'],
    ["with two values, one written with an escape", '{"\\u0061mount":42.5,"amount":9000}'],
    ["with two values in a fence", '```json\n{"amount":42.5,"amount":9000}\n```'],
    ["with two values further down", '{"amount":1,"lines":[{"sku":"a","count":1,"count":2}]}'],
    ["with null and a value", '{"amount":1,"note":"a","note":null}'],
    ["with a value behind null", '{"amount":1,"note":null,"note":"a"}'],
  ])("is not accepted %s: the model is asked again", async (_, text) => {
    const { run, asked } = await askModel(Payment, [text, GOOD]);
    expect(run).toMatchObject({ status: "completed", result: { amount: 42.5 } });
    expect(asked).toBe(2);
  });

  it("is not accepted however often the model says it", async () => {
    const { run } = await askModel(Payment, ['{"amount":42.5,"amount":9000}']);
    expect(run.status).toBe("in_ward");
  });

  it("is accepted where both values are the same", async () => {
    const { run, asked } = await askModel(Payment, ['{"amount":42.5,"amount":42.50}']);
    expect(run).toMatchObject({ status: "completed", result: { amount: 42.5 } });
    expect(asked).toBe(1);
  });
});

describe("null for an absent optional field", () => {
  it.each([
    ["was enforced", Payment, '{"amount":42.5,"note":null,"lines":null}', { amount: 42.5 }],
    ["was a hint only", Score, '{"scores":{"a":1},"account":null}', { scores: { a: 1 } }],
  ])("is left out when the schema %s", async (_, answers, text, result) => {
    const { run, asked } = await askModel(answers, [text]);
    expect(run).toMatchObject({ status: "completed", result });
    expect(asked).toBe(1);
  });
});
