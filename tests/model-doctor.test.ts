import { expect, it, onTestFinished } from "vitest";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { DialectEndpoint } from "./support/dialects/index.ts";
import { runCli } from "./support/run-cli.ts";

/** `suture doctor --model`: what it says is what the endpoint does. `dialects.test.ts` holds what the client learns. */

const KEY = "sk-not-to-be-seen";

async function open(name: string): Promise<DialectEndpoint> {
  const dialect = DIALECTS.find((one) => one.name === name);
  if (dialect === undefined) throw new Error(`no dialect ${name}`);
  const endpoint = await startDialect(dialect, () =>
    JSON.stringify({ verdict_word: "ready", letter_count: 5 }),
  );
  onTestFinished(() => endpoint.close());
  return endpoint;
}

const MODELS = { SUTURE_MODEL_ROUTER: "small", SUTURE_MODEL_WORKER: "small", SUTURE_MODEL_SURGEON: "large" };

const envOf = (endpoint: DialectEndpoint) => ({
  OPENAI_BASE_URL: endpoint.url,
  OPENAI_API_KEY: KEY,
  ...MODELS,
});

it("prints a row for each model, the settings to use, the cost, and never the key", async () => {
  const endpoint = await open("OpenAI, reasoning");
  const { code, stdout, stderr } = await runCli(["doctor", "--model", "--cost-max", "20"], envOf(endpoint));
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toMatch(/small \(router, worker\) +yes +nothing/);
  expect(stdout).toContain("large (surgeon)");
  expect(stdout).toContain("SUTURE_MODEL_WORKER_EFFORT=low");
  expect(stdout).toMatch(/\d+ calls, [\d.]+ of 20 USD\nTeams can run\.\n$/);
  expect(stdout + stderr).not.toContain(KEY);
});

it("names what the endpoint lacks", async () => {
  const endpoint = await open("Google Gemini, older");
  const { code, stdout } = await runCli(["doctor", "--model", "--json", "--cost-max", "20"], envOf(endpoint));
  expect(code).toBe(0);
  const { models } = JSON.parse(stdout) as { models: { lacks: string[] }[] };
  expect(models[0]?.lacks).toEqual(expect.arrayContaining(["max_completion_tokens"]));
});

it("ends with 1 and the reason where the key is wrong, and where the money covers no call", async () => {
  const endpoint = await open("OpenAI");
  const poor = await runCli(["doctor", "--model", "--json", "--cost-max", "0.000001"], envOf(endpoint));
  expect(poor.code).toBe(1);
  expect(JSON.parse(poor.stdout)).toMatchObject({ can_run: false, spent: { calls: 0, cost: 0 } });
  expect(endpoint.answered).toEqual([]);
  endpoint.failure = "wrong_key";
  const refused = await runCli(["doctor", "--model", "--cost-max", "20"], envOf(endpoint));
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("OPENAI_API_KEY");
  expect(refused.stdout).toContain("Teams cannot run.");
  expect(refused.stdout + refused.stderr).not.toContain(KEY);
});
