import { describe, expect, it, onTestFinished } from "vitest";
import { createProbe } from "#shared/model/probe";
import { examineModel } from "../services/cli/doctor/model/examine-model.ts";
import type { ModelReport } from "../services/cli/doctor/model/examine-model.ts";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { Dialect, DialectEndpoint } from "./support/dialects/index.ts";
import { runCli } from "./support/run-cli.ts";

/** `suture doctor --model` beside every dialect and the rehearsal: what it says is what the endpoint does. */

const KEY = "sk-not-to-be-seen";

async function open(dialect: Dialect): Promise<DialectEndpoint> {
  const endpoint = await startDialect(dialect, () =>
    JSON.stringify({ verdict_word: "ready", letter_count: 5 }),
  );
  onTestFinished(() => endpoint.close());
  return endpoint;
}

async function examine(endpoint: DialectEndpoint): Promise<ModelReport> {
  const probe = createProbe({ baseUrl: endpoint.url, apiKey: KEY });
  return examineModel("team", {
    ask: (request, streams = false) => probe.send(request, { model: "team", timeoutMs: 10_000, streams }),
    effort: "low",
  });
}

const NO_SCHEMAS = { "strict schema": "refused", "loose schema": "refused" };
const NO_FORMS = { ...NO_SCHEMAS, "JSON mode": "refused", "tool call": "refused" };
const NO_EFFORT = { reasoning_effort: "refused" };
const ONE_BOUND = { max_completion_tokens: "refused" };

/** By which way each dialect is found to answer, and what of it differs from taking all. */
const FOUND: Readonly<Record<string, readonly [answersBy: string, differs: object]>> = {
  OpenAI: ["strict schema", NO_EFFORT],
  "OpenAI, reasoning": ["strict schema", {}],
  "OpenAI, no schemas": ["JSON mode", { ...NO_SCHEMAS, ...NO_EFFORT }],
  "vLLM, Gemma": ["strict schema", { "system role": "refused" }],
  Ollama: ["strict schema", {}],
  "llama.cpp, no grammar": ["prompt", NO_FORMS],
  Anthropic: ["JSON mode", { "strict schema": "unread", "loose schema": "unread" }],
  "Google Gemini": ["strict schema", {}],
  "Google Gemini, older": ["JSON mode", { ...NO_SCHEMAS, ...NO_EFFORT, ...ONE_BOUND }],
  Mistral: ["strict schema", { ...NO_EFFORT, ...ONE_BOUND }],
};

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))("%s", (name, dialect) => {
  it("is seen as it is documented", async () => {
    const endpoint = await open(dialect);
    const { answersBy, features, reasoningTokens, slowestMs, problem } = await examine(endpoint);
    const [way, differs] = FOUND[name] ?? ["", {}];
    const differing = Object.entries(features).filter(([, state]) => state !== "yes");
    expect(Object.fromEntries(differing)).toEqual(differs);
    expect(answersBy).toBe(way);
    if (dialect.reasoningTokens !== undefined) expect(reasoningTokens).toBe(dialect.reasoningTokens);
    expect(slowestMs).toBeGreaterThan(0);
    expect(problem).toBeNull();
    expect(endpoint.faults).toEqual([]);
  });
});

const MODELS = { SUTURE_MODEL_ROUTER: "small", SUTURE_MODEL_WORKER: "small", SUTURE_MODEL_SURGEON: "large" };

describe("suture doctor --model", () => {
  it("prints a column for each model, the settings to use, the cost, and never the key", async () => {
    const dialect = DIALECTS.find(({ name }) => name === "OpenAI, reasoning");
    if (dialect === undefined) throw new Error("no such dialect");
    const endpoint = await open(dialect);
    const env = { OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: KEY, ...MODELS };
    const { code, stdout, stderr } = await runCli(["doctor", "--model", "--cost-max", "20"], env);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("small (router, worker)");
    expect(stdout).toContain("large (surgeon)");
    expect(stdout).toContain("SUTURE_MODEL_WORKER_EFFORT=low");
    expect(stdout).toMatch(/strict schema +yes +yes\n/);
    expect(stdout).toMatch(/\d+ calls in [\d.]+ s, [\d.]+ of 20 USD\nTeams can run\.\n$/);
    expect(stdout + stderr).not.toContain(KEY);
  });

  it("ends with 1 and the reason where the key is wrong, and where the money covers no call", async () => {
    const [dialect] = DIALECTS;
    if (dialect === undefined) throw new Error("no dialect");
    const endpoint = await open(dialect);
    const env = { OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: KEY, ...MODELS };
    const poor = await runCli(["doctor", "--model", "--json", "--cost-max", "0.000001"], env);
    expect(poor.code).toBe(1);
    expect(JSON.parse(poor.stdout)).toMatchObject({ can_run: false, spent: { calls: 0, cost: 0 } });
    expect(endpoint.answered).toEqual([]);
    endpoint.failure = "wrong_key";
    const refused = await runCli(["doctor", "--model", "--cost-max", "20"], env);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("OPENAI_API_KEY");
    expect(refused.stdout).toContain("Teams cannot run.");
    expect(refused.stdout + refused.stderr).not.toContain(KEY);
  });
});
