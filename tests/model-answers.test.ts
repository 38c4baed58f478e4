import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { openModel, openModelSystem } from "./support/open-model-system.ts";

/** Fate of a model's answer that says one thing twice, or null for what it leaves out. */

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
  const run = await system.run({ text: "pay 42.50" }, {}, ["completed", "failed", "in_ward", "quarantined"]);
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

const Question = contract("question@1", z.object({ n: z.number() }));
const Reply = contract("reply@1", z.object({ n: z.number() }));
const ANSWER_BYTES_MAX = 4096;

/** A worker that asks a model whose first answers are cut off for their size. */
async function openAsker(options: { readonly hugeAnswers: number; readonly failures: number }) {
  let failuresLeft = options.failures;
  const asker = agent("asker@1", {
    accepts: Question,
    handle: async (input, ctx) => {
      const reply = await ctx.model("reply", { instructions: "Repeat it.", input, answers: Reply });
      if (failuresLeft > 0) {
        failuresLeft -= 1;
        throw new Error("dies after the answer");
      }
      return ctx.complete(reply);
    },
  });
  const members = team("askers", [asker]);
  const { endpoint, model } = await openModel(members, { answerBytesMax: ANSWER_BYTES_MAX });
  endpoint.behave = () =>
    endpoint.seen.length <= options.hugeAnswers ? "a".repeat(2 * ANSWER_BYTES_MAX) : '{"n": 7}';
  const system = await startTestSystem(members, { model });
  return { system, endpoint };
}

it("tells a model that its answer was too large and asks it once more, like any answer that cannot be used", async () => {
  const { system, endpoint } = await openAsker({ hugeAnswers: 1, failures: 0 });
  expect(await system.run({ n: 7 })).toMatchObject({ status: "completed", result: { n: 7 } });
  const [, second] = endpoint.seen;
  expect(JSON.stringify(second?.body.messages)).toContain(String(ANSWER_BYTES_MAX));
  expect(endpoint.seen).toHaveLength(2);
});

it("takes the answer to the ward when the second is too large as well", async () => {
  const { system, endpoint } = await openAsker({ hugeAnswers: 2, failures: 0 });
  const { runId } = await system.submit({ n: 7 });
  expect((await system.until(runId, ["in_ward"])).status).toBe("in_ward");
  const events = await system.store.runs.events(runId, { from: 0, limit: 20 });
  expect(events.find(({ type }) => type === "in_ward")?.detail).toMatchObject({
    class: "parse_error",
    code: "MODEL_ANSWER_UNUSABLE",
  });
  expect(endpoint.seen).toHaveLength(2);
});

it("hands nothing on once an answer has cost more than the run may spend", async () => {
  const heard: number[] = [];
  const asker = agent("asker@1", {
    accepts: Question,
    to: { next: Question },
    handle: async (input, ctx) =>
      ctx.handoff("next", await ctx.model("reply", { instructions: "Repeat it.", input, answers: Question })),
  });
  const next = agent("next@1", {
    accepts: Question,
    handle: (input, ctx) => {
      heard.push(input.n);
      return ctx.complete(input);
    },
  });
  const members = team("askers", [asker, next]);
  const { system, endpoint } = await openModelSystem(members);
  endpoint.behave = () => '{"n": 7}';
  // The endpoint says that its answer took 120 tokens.
  expect((await system.run({ n: 1 }, { budget: { token_limit: 120 } })).status).toBe("completed");
  const { runId } = await system.submit({ n: 2 }, { budget: { token_limit: 119 } });
  expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
  expect(heard).toEqual([7]);
  const events = await system.store.runs.events(runId, { from: 0, limit: 20 });
  expect(events.filter(({ type }) => type === "handed_off")).toEqual([]);
  expect(events.find(({ type }) => type === "quarantined" || type === "in_ward")).toMatchObject({
    agent: "asker",
    detail: { class: "budget_exceeded" },
  });
});

/** Tokens that the answer took, as the endpoint says. */
const ANSWER_TOKENS = 120;
/** Limit of the answer, in tokens. */
const TOKENS_MAX = 500;

const limits = {
  ...RUNTIME_LIMITS_DEFAULT,
  modelTimeoutMs: 1_000,
  retry: { ...RETRY_POLICY_DEFAULT, delayMs: 20 },
};

type Trouble = (response: ServerResponse) => void;

/** An agent whose first call meets trouble, and whose others are answered. */
async function openCaller(trouble: Trouble, { isLimited = true, handlerTimeoutMs = 5_000 } = {}) {
  const teller = agent("teller@1", {
    accepts: Note,
    answers: [Note],
    handlerTimeoutMs,
    handle: async (input, ctx) =>
      ctx.complete(
        await ctx.model("read", {
          instructions: "Read it.",
          input,
          answers: Note,
          ...(isLimited ? { tokensMax: TOKENS_MAX } : {}),
        }),
      ),
  });
  const { system, endpoint } = await openModelSystem(team("bank", [teller]), { limits });
  endpoint.behave = () => (endpoint.seen.length === 1 ? trouble : '{"text":"read"}');
  const run = async (draft = {}) => {
    const { runId } = await system.submit({ text: "hello" }, draft);
    const ended = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    return { ended, events };
  };
  return { endpoint, run };
}

const hang: Trouble = () => undefined;

const breakOff: Trouble = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"choices"');
  setTimeout(() => response.destroy(), 10);
};

const talkTooMuch: Trouble = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(`"${"a".repeat(2_000_000)}"`);
};

describe("a call that may have been paid for", () => {
  it.each([
    ["timed out", hang, {}],
    ["timed out with the handler", hang, { handlerTimeoutMs: 700 }],
    ["broke off", breakOff, {}],
    ["was cut off for its size", talkTooMuch, {}],
  ])("and %s is in the books by its upper bound", async (_, trouble, options) => {
    const { run, endpoint } = await openCaller(trouble, options);
    const { ended } = await run();
    expect(ended.status).toBe("completed");
    // On a busy machine a further call may time out.
    const lost = endpoint.seen.length - 1;
    const tokensOfLost = (ended.tokens - ANSWER_TOKENS) / lost;
    expect(tokensOfLost).toBeGreaterThan(TOKENS_MAX);
    // The question is short: its own bound is some hundred tokens.
    expect(tokensOfLost).toBeLessThan(TOKENS_MAX + 500);
    expect(ended.cost).toBeGreaterThan(0);
  });

  it("leaves the next delivery so much less to spend", async () => {
    const { run, endpoint } = await openCaller(hang);
    const { ended, events } = await run({ budget: { token_limit: TOKENS_MAX } });
    expect(ended.status).toBe("quarantined");
    expect(events.at(-1)).toMatchObject({ detail: { class: "budget_exceeded" } });
    expect(endpoint.seen.length).toBe(1);
  });

  it("is bounded where the call names no limit", async () => {
    const { ended } = await (await openCaller(hang, { isLimited: false })).run();
    expect(ended.tokens).toBeGreaterThan(4_096);
    expect(ended.tokens).toBeLessThan(5_000);
  });
});

it.each([
  ["503", (response) => void response.writeHead(503).end("{}")],
  ["429", (response) => void response.writeHead(429, { "retry-after-ms": "50" }).end("{}")],
] satisfies [string, Trouble][])("a call that was answered with %s costs nothing", async (_, trouble) => {
  const { ended } = await (await openCaller(trouble)).run();
  expect(ended).toMatchObject({ status: "completed", tokens: ANSWER_TOKENS });
});
