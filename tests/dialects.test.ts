import { expect, it, onTestFinished } from "vitest";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { Dialect } from "./support/dialects/index.ts";

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
