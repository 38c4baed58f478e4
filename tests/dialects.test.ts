import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { FoundLack, ModelCall, ModelClient } from "#shared/model";
import { firstAid } from "#shared/repair";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { Dialect, DialectEndpoint, Failure, Think } from "./support/dialects/index.ts";

/** One call to every dialect: what the client finds of it, and what becomes of its failures. */

const ANSWER = { route: "sales", amount: 4.5, lines: [{ sku: "ä-1", count: 2 }] };

const call: ModelCall = {
  tier: "worker",
  instructions: "Sort the mail.",
  input: '{"text":"Drei Stühle, bitte."}',
  schemaName: "triage.route@1",
  jsonSchema: {
    type: "object",
    properties: {
      route: { type: "string" },
      amount: { type: "number" },
      note: { type: "string" },
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: { sku: { type: "string" }, count: { type: "integer" } },
          required: ["sku", "count"],
          additionalProperties: false,
        },
      },
    },
    required: ["route", "amount", "lines"],
    additionalProperties: false,
  },
  temperature: 0.2,
  tokensMax: 500,
  signal: new AbortController().signal,
  agent: "triage@1",
  step: "route",
};

interface Opened {
  readonly endpoint: DialectEndpoint;
  readonly client: ModelClient;
  readonly found: FoundLack[];
}

const thinkAlways: Think = () => JSON.stringify(ANSWER);

async function open(dialect: Dialect, think = thinkAlways): Promise<Opened> {
  const endpoint = await startDialect(dialect, think);
  const found: FoundLack[] = [];
  const client = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "test",
    models: { router: "team", worker: "team", surgeon: "team" },
    timeoutMs: 60_000,
    onLack: (one) => found.push(one),
    reasoning: { worker: { effort: null, tokens: 4096 } },
  });
  onTestFinished(() => {
    client.close();
    endpoint.close();
  });
  return { endpoint, client, found };
}

/** Asks three questions as an agent does, which asks again where an answer is of no use. */
async function askThree(client: ModelClient): Promise<void> {
  for (const input of ['{"text":"1"}', '{"text":"2"}', '{"text":"3"}']) {
    const { text, finish } = await client.ask({ ...call, input });
    if (finish === "length" || firstAid(text, call.jsonSchema).ok) continue;
    await client.ask({ ...call, input, reask: { previousAnswer: text, problems: "/: not JSON" } });
  }
}

const ORDER = {
  name: "look_up",
  description: "Looks an order up.",
  jsonSchema: {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    additionalProperties: false,
  },
};

/** Looks the order up that it is asked about, and answers once it is told what came of it. */
const thinkWithTool: Think = ({ messages }) => {
  const told = JSON.stringify(messages);
  if (!told.includes("Where is A-1?") || told.includes("on its way")) return JSON.stringify(ANSWER);
  return { calls: [{ name: ORDER.name, arguments: { id: "A-1" } }] };
};

/** Parts that each dialect turns out to lack of a call with a schema, a temperature and a bound. */
const LACKS: Readonly<Record<string, readonly string[]>> = {
  OpenAI: [],
  "OpenAI, reasoning": ["temperature"],
  "OpenAI, no schemas": ["strict_schema"],
  "vLLM, Gemma": ["system_role"],
  Ollama: [],
  "llama.cpp, no grammar": ["strict_schema", "json_mode", "tool_call"],
  Anthropic: ["reading_schema"],
  "Google Gemini": [],
  "Google Gemini, older": ["strict_schema", "max_completion_tokens"],
  Mistral: ["max_completion_tokens"],
};

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))("%s", (name, dialect) => {
  it("is answered in a form that it takes, which two questions find", async () => {
    const { endpoint, client, found } = await open(dialect);
    await askThree(client);
    const refusals = endpoint.refused.length;
    expect(found.map(({ lack }) => lack).toSorted()).toEqual([...(LACKS[name] ?? [])].toSorted());
    for (const text of [call.input, '{"text":"Otra cosa: ¿cuánto cuesta?"}']) {
      const answer = await client.ask({ ...call, input: text });
      expect(firstAid(answer.text, call.jsonSchema)).toMatchObject({ ok: true, value: ANSWER });
      expect(answer.finish).toBe("stop");
    }
    expect(endpoint.refused).toHaveLength(refusals);
    expect(endpoint.faults).toEqual([]);
  });

  it("is offered a tool, and told what it gave, in a form that it takes", async () => {
    const { endpoint, client } = await open(dialect, thinkWithTool);
    await askThree(client);
    const asked = { ...call, input: '{"text":"Where is A-1?"}', tools: [ORDER] };
    const { text, tools } = await client.ask(asked);
    expect(tools?.by).toBe(/llama\.cpp|Gemma/.test(name) ? "prompt" : "calls");
    // Told of tools in words, it writes what it calls.
    if (tools?.by === "prompt") expect(text).toContain('"look_up"');
    else expect(tools?.calls).toMatchObject([{ name: "look_up", arguments: '{"id":"A-1"}' }]);
    const calls = tools?.by === "calls" ? tools.calls : [{ name: "look_up", arguments: '{"id":"A-1"}' }];
    const round = { text: "", calls: calls.map((one) => ({ ...one, result: '{"state":"on its way"}' })) };
    const answer = await client.ask({ ...asked, exchange: [round] });
    expect(firstAid(answer.text, call.jsonSchema)).toMatchObject({ ok: true, value: ANSWER });
    expect(endpoint.faults).toEqual([]);
  });

  it("is waited for as long as it says, in headers or in the body", async () => {
    const { endpoint, client } = await open(dialect);
    endpoint.failure = "rate_limited";
    const error: unknown = await client.ask(call).catch((reason: unknown) => reason);
    const saysWhen = /retry-?(?:after|delay)/i.test(JSON.stringify(dialect.failures.rate_limited));
    if (saysWhen) expect(error).toMatchObject({ retryAfterMs: 3_000 });
    else expect(error).toMatchObject({ code: expect.stringMatching(/RATE_LIMITED|UNAVAILABLE/) });
  });

  it("has its failures read", async () => {
    const { endpoint, client } = await open(dialect);
    const codes: Record<string, unknown> = {};
    const failures = Object.entries(dialect.failures).filter(([, reply]) => reply !== null);
    for (const [failure] of failures) {
      // A key of the dialect's failures.
      endpoint.failure = failure as Failure;
      const error: unknown = await client.ask(call).catch((reason: unknown) => reason);
      codes[failure] = (error as { code?: unknown }).code;
    }
    expect(codes).toMatchObject({
      wrong_key: "MODEL_MISCONFIGURED",
      unknown_model: "MODEL_MISCONFIGURED",
      rate_limited: name.startsWith("llama.cpp") ? "MODEL_UNAVAILABLE" : "MODEL_RATE_LIMITED",
      too_long: "MODEL_INPUT_REFUSED",
    });
    const { out_of_quota: quota, filtered } = codes;
    expect([undefined, "MODEL_MISCONFIGURED"]).toContain(quota);
    expect([undefined, "MODEL_INPUT_REFUSED"]).toContain(filtered);
  });
});

it.each(DIALECTS.filter(({ fields }) => fields.images))(
  "$name has its refusal of a picture read",
  async (dialect) => {
    const { client } = await open(dialect);
    await askThree(client);
    const picture = { mimeType: "image/png", bytes: new Uint8Array(3) } as const;
    const refused = { code: "MODEL_INPUT_REFUSED" };
    await expect(client.ask({ ...call, images: [picture] })).rejects.toMatchObject(refused);
  },
);
