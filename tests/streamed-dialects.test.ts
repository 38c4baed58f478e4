import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { FoundLack, ModelAnswer, ModelCall } from "#shared/model";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { Dialect } from "./support/dialects/index.ts";
import { openAi } from "./support/dialects/openai.ts";

/** Every dialect gives the same answers, at the same price, as a stream and in one piece. */

const call: ModelCall = {
  tier: "worker",
  instructions: "Sort the mail.",
  input: '{"text":"Drei Stühle, bitte."}',
  schemaName: "triage.route@1",
  jsonSchema: {
    type: "object",
    properties: { route: { type: "string" }, note: { type: "string" } },
    required: ["route"],
    additionalProperties: false,
  },
  tokensMax: 500,
  signal: new AbortController().signal,
  agent: "triage@1",
  step: "route",
};

const look = {
  name: "look_up",
  description: "Looks an order up.",
  jsonSchema: {
    type: "object",
    properties: { order: { type: "string" } },
    required: ["order"],
    additionalProperties: false,
  },
};

async function answersOf(dialect: Dialect, mode: "off" | "on") {
  const endpoint = await startDialect(dialect, ({ tools }) =>
    tools?.some((tool) => tool.function.name === "look_up") === true
      ? { calls: [{ name: "look_up", arguments: { order: "ä-1" } }] }
      : '{"route":"sales – süß 🪑"}',
  );
  const found: FoundLack[] = [];
  const client = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "test",
    models: { router: "team", worker: "team", surgeon: "team" },
    timeoutMs: 60_000,
    onLack: (one) => found.push(one),
    reasoning: { worker: { effort: null, tokens: 4096 } },
    streams: { by: { router: mode, worker: mode, surgeon: mode }, silentMs: 60_000, wholeMs: 60_000 },
  });
  onTestFinished(async () => {
    client.close();
    await endpoint.close();
  });
  const answers: Omit<ModelAnswer, "durationMs">[] = [];
  for (const [index, tools] of [{}, {}, {}, { tools: [look] }, { tools: [look] }].entries()) {
    const asked: ModelCall = { ...call, ...tools, input: JSON.stringify({ text: `Drei Stühle, ${index}.` }) };
    const { durationMs: _, ...answer } = await client.ask(asked);
    answers.push(answer);
  }
  const streamed = endpoint.answered.filter(({ stream }) => stream === true).length;
  expect(endpoint.faults).toEqual([]);
  return { answers, streamed, lacks: found.map(({ lack }) => lack) };
}

/** Lacks that a dialect has of streams only. */
const STREAM_LACKS: Readonly<Record<string, readonly string[]>> = {
  "Azure OpenAI, older API": ["stream_usage"],
  Mistral: ["stream_usage"],
  "Mistral, older": ["stream_usage"],
};

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))("%s", (name, dialect) => {
  it("streams the answer that it gives in one piece", async () => {
    const whole = await answersOf(dialect, "off");
    const pieces = await answersOf(dialect, "on");
    expect(whole.streamed).toBe(0);
    expect(pieces.streamed).toBeGreaterThan(1);
    const isEstimated = name === "Azure OpenAI, older API";
    const compared = (answers: typeof whole.answers) =>
      isEstimated ? answers.map((answer) => ({ ...answer, usage: null, cost: null })) : answers;
    expect(compared(pieces.answers)).toEqual(compared(whole.answers));
    for (const { cost } of pieces.answers) expect(cost).toBeGreaterThan(0);
    expect(pieces.lacks).toEqual(expect.arrayContaining([...(STREAM_LACKS[name] ?? [])]));
  });
});

it.each(["ignores", () => ({ status: 400, body: { error: "Streaming is not supported." } })] as const)(
  "asks in one piece from then on where nothing is streamed (%#)",
  async (stream) => {
    const { streamed, lacks, answers } = await answersOf({ ...openAi, fields: { stream } }, "on");
    expect(lacks).toContain("stream");
    expect(streamed).toBeLessThan(3);
    expect(answers[0]?.text).toContain("sales");
  },
);
