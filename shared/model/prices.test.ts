import fc from "fast-check";
import { expect, it, test, describe } from "vitest";
import type { ModelClientOptions } from "./create-model-client.ts";
import { tokensAtMost } from "./index.ts";
import { costOf, PRICES_DEFAULT } from "./prices.ts";
import { CALL, openEndpoint, sendJson } from "./testing/index.ts";

const million = { input_tokens: 1_000_000, output_tokens: 1_000_000 };

test("prices a known model, and a dated name like the name without its date", () => {
  expect(costOf("gpt-5-mini", million)).toBe(2.25);
  expect(costOf("gpt-5-mini-2025-08-07", million)).toBe(2.25);
});

test("prices an unknown model as the dearest, so that a budget stops it early", () => {
  const dearest = Math.max(...Object.values(PRICES_DEFAULT).map((price) => price.input + price.output));
  for (const name of ["llama", "gpt-5-mini-turbo", "__proto__", "constructor", ""]) {
    expect(costOf(name, million)).toBe(dearest);
  }
});

test("lets an operator's price win", () => {
  expect(costOf("llama", million, { llama: { input: 0, output: 0 } })).toBe(0);
});

test("prices input that the provider read from its cache apart, and as any other where no price is known", () => {
  const usage = { input_tokens: 1_000_000, cached_tokens: 600_000, output_tokens: 0 };
  expect(costOf("gpt-5", usage)).toBeCloseTo(0.4 * 1.25 + 0.6 * 0.125, 10);
  expect(costOf("mine", usage, { mine: { input: 2, output: 8 } })).toBe(2);
  expect(costOf("mine", usage, { mine: { input: 2, output: 8, cached: 0.5 } })).toBeCloseTo(1.1, 10);
});

it("takes words at two letters a token, and what tokenizers may not know at one a byte", () => {
  expect(tokensAtMost("")).toBe(0);
  expect(tokensAtMost("refund the order")).toBe(3 + 2 + 3);
  expect(tokensAtMost("12345")).toBe(5);
  expect(tokensAtMost('{"a":1}')).toBe(7);
  expect(tokensAtMost("🙂🙂")).toBe(8);
  expect(tokensAtMost("請求書")).toBe(9);
});

it("is never below a third of the characters and never above the bytes, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const tokens = tokensAtMost(text);
      expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
      expect(tokens).toBeGreaterThanOrEqual(Math.floor(text.length / 3));
    }),
  );
});

type Body = Readonly<Record<string, unknown>>;
type Reply = { readonly status: number; readonly body: object };

const WHOLE = '{"route":"sales"}';

/** Reasons for 600 tokens before each answer, within the bound. */
function reason(body: Body, more: object = {}): Reply {
  const limit = Number(body["max_completion_tokens"] ?? body["max_tokens"] ?? Infinity);
  const isCutOff = limit < 605;
  const message = { role: "assistant", content: isCutOff ? "" : WHOLE, ...more };
  const usage = {
    prompt_tokens: 10,
    completion_tokens: Math.min(605, limit),
    completion_tokens_details: { reasoning_tokens: Math.min(600, limit) },
  };
  return {
    status: 200,
    body: { choices: [{ finish_reason: isCutOff ? "length" : "stop", message }], usage },
  };
}

async function open(answer: (body: Body) => Reply, options: Partial<ModelClientOptions> = {}) {
  const seen: Body[] = [];
  const lacks: string[] = [];
  const client = await openEndpoint(
    (response, text) => {
      // The client's own request.
      const body = JSON.parse(text) as Body;
      seen.push(body);
      const reply = answer(body);
      sendJson(response, reply.status, reply.body);
    },
    {
      onLack: ({ lack }) => lacks.push(lack),
      reasoning: { worker: { effort: null, tokens: 1000 }, router: { effort: "low", tokens: 700 } },
      ...options,
    },
  );
  const limits = () => seen.map((body) => body["max_completion_tokens"] ?? body["max_tokens"]);
  return { client, seen, lacks, limits };
}

const call = { ...CALL, tokensMax: 100 };

describe("a budget for reasoning", () => {
  test("is added once the model is seen to reason, and says how much room to ask for", async () => {
    const { client, limits } = await open((body) => reason(body));
    const cut = await client.ask(call);
    expect(cut).toMatchObject({ finish: "length", text: "", higherLimit: 1100 });
    expect(cut.usage).toMatchObject({ output_tokens: 100, reasoning_tokens: 100 });
    expect(await client.ask({ ...call, room: 1100 })).toMatchObject({ finish: "stop", text: WHOLE });
    expect(await client.ask(call)).toMatchObject({ finish: "stop" });
    expect(limits()).toEqual([100, 1100, 1100]);
  });

  test.each([
    ["reasoning_content", { reasoning_content: "Let me see." }],
    ["reasoning", { reasoning: "Let me see." }],
    [
      "parts",
      {
        content: [
          { type: "thinking", thinking: [] },
          { type: "text", text: WHOLE },
        ],
      },
    ],
    ["marks", { content: `<think>Let me see.</think>${WHOLE}` }],
  ])("is learned from thoughts in %s, of endpoints that count none", async (_, more) => {
    const message = { role: "assistant", content: WHOLE, ...more };
    const { client, limits } = await open(() => ({
      status: 200,
      body: { choices: [{ finish_reason: "stop", message }] },
    }));
    await client.ask(call);
    await client.ask(call);
    expect(limits()).toEqual([100, 1100]);
  });
});

describe("more room", () => {
  test("doubles up to the maximum, beyond which there is none", async () => {
    const { client } = await open(
      (body) => ({
        status: 200,
        body: {
          choices: [{ finish_reason: "length", message: { content: '{"route":"sa' } }],
          usage: { prompt_tokens: 9, completion_tokens: body["max_completion_tokens"] },
        },
      }),
      { answerTokensMax: 300 },
    );
    expect((await client.ask(call)).higherLimit).toBe(200);
    expect((await client.ask({ ...call, room: 200 })).higherLimit).toBe(300);
    expect((await client.ask({ ...call, room: 300 })).higherLimit).toBeUndefined();
  });
});
