import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { FoundLack, ModelCall, ModelClient } from "#shared/model";
import { firstAid } from "#shared/repair";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { Dialect, DialectEndpoint, Failure } from "./support/dialects/index.ts";

/** The endpoints that stand in for providers keep to what is documented of them. */

async function post(dialect: Dialect, more: object, good = '{"route":"sales"}') {
  const endpoint = await startDialect(dialect, () => good);
  onTestFinished(() => endpoint.close());
  const response = await fetch(`${endpoint.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "team", messages: [{ role: "user", content: "{}" }], ...more }),
  });
  return { status: response.status, body: await response.text(), endpoint };
}

function named(name: string): Dialect {
  const found = DIALECTS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no dialect is named ${name}`);
  return found;
}

const schema = {
  type: "object",
  properties: { route: { type: "string" } },
  required: ["route"],
  additionalProperties: false,
};
const response_format = { type: "json_schema", json_schema: { name: "route", strict: true, schema } };

it("names a source for every dialect", () => {
  expect(new Set(DIALECTS.map(({ name }) => name)).size).toBe(DIALECTS.length);
  for (const { name, sources } of DIALECTS) {
    expect(sources.length, name).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatch(/^https:\/\//);
  }
});

it.each([
  ["OpenAI", { response_format }, 200, '"{\\"route\\":\\"sales\\"}"'],
  ["OpenAI", { response_format: { type: "json_object" } }, 400, "must contain the word 'json'"],
  ["OpenAI, reasoning", { temperature: 0.2 }, 400, '"param":"temperature"'],
  ["OpenAI, no schemas", { response_format }, 400, "'json_schema' is not supported with this model"],
  ["Ollama", { max_completion_tokens: 1, response_format }, 200, '"finish_reason":"stop"'],
  ["llama.cpp, no grammar", { tools: [tool()] }, 500, "tools param requires --jinja flag"],
  ["Anthropic", { response_format }, 200, "Happy to help!"],
  ["Google Gemini, older", { reasoning_effort: "low" }, 400, '[{"error":{"code":400'],
  ["Mistral", { max_completion_tokens: 9 }, 422, '"loc":["body","max_completion_tokens"]'],
  ["Mistral", { response_format }, 200, '"type":"thinking"'],
])("%s answers %j with status %d", async (name, more, status, words) => {
  const answer = await post(named(name), more);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(words);
});

function tool(): object {
  return { type: "function", function: { name: "route", parameters: schema } };
}

it("calls a fault of the client what no provider takes", async () => {
  const { status, endpoint } = await post(named("Anthropic"), { response_format: { type: "json_schema" } });
  expect(status).toBe(400);
  expect(endpoint.faults).toHaveLength(1);
});

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

async function open(dialect: Dialect): Promise<Opened> {
  const endpoint = await startDialect(dialect, () => JSON.stringify(ANSWER));
  const found: FoundLack[] = [];
  const client = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "test",
    models: { router: "team", worker: "team", surgeon: "team" },
    timeoutMs: 60_000,
    onLack: (one) => found.push(one),
    reasoning: { worker: { effort: null, tokens: 4096 } },
  });
  onTestFinished(async () => {
    client.close();
    await endpoint.close();
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

/** What each dialect turns out to lack of a call with a schema, a temperature and a bound. */
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
