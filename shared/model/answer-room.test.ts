import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelClient } from "./create-model-client.ts";
import type { ModelClientOptions } from "./create-model-client.ts";
import type { ModelCall } from "./model-client.ts";

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
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      // The client's own request.
      const body = JSON.parse(text) as Body;
      seen.push(body);
      const reply = answer(body);
      response
        .writeHead(reply.status, { "content-type": "application/json" })
        .end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const lacks: string[] = [];
  const client = createModelClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: "test",
    models: { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" },
    timeoutMs: 60_000,
    onLack: ({ lack }) => lacks.push(lack),
    reasoning: { worker: { effort: null, tokens: 1000 }, router: { effort: "low", tokens: 700 } },
    ...options,
  });
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const limits = () => seen.map((body) => body["max_completion_tokens"] ?? body["max_tokens"]);
  return { client, seen, lacks, limits };
}

const call: ModelCall = {
  tier: "worker",
  instructions: "Sort.",
  input: '{"text":"hello"}',
  schemaName: "triage.route@1",
  jsonSchema: {
    type: "object",
    properties: { route: { type: "string" } },
    required: ["route"],
    additionalProperties: false,
  },
  tokensMax: 100,
  signal: new AbortController().signal,
  agent: "triage@1",
  step: "route",
};

describe("a budget for reasoning", () => {
  test("is added once the model is seen to reason, and says how much room to ask for", async () => {
    const { client, limits } = await open((body) => reason(body));
    const cut = await client.ask(call);
    expect(cut).toMatchObject({ finish: "length", text: "", moreRoom: 1100 });
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
    expect((await client.ask(call)).moreRoom).toBe(200);
    expect((await client.ask({ ...call, room: 200 })).moreRoom).toBe(300);
    expect((await client.ask({ ...call, room: 300 })).moreRoom).toBeUndefined();
  });
});
