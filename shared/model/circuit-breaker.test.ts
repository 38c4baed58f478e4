import { afterEach, expect, test, vi } from "vitest";
import { withBreaker } from "./circuit-breaker.ts";
import { ModelRateLimitedError, ModelUnavailableError } from "./errors.ts";
import type { ModelAnswer, ModelCall, ModelClient } from "./model-client.ts";

// The policy reads the system's clock by itself, so its time is moved by vitest.
vi.useFakeTimers({ now: 1_000_000 });
afterEach(() => vi.setSystemTime(1_000_000));

const answer: ModelAnswer = {
  text: "{}",
  model: "m",
  usage: { input_tokens: 1, output_tokens: 1 },
  cost: 1,
  finish: "stop",
  durationMs: 1,
};
const call: ModelCall = {
  tier: "surgeon",
  instructions: "",
  input: "{}",
  schemaName: "a",
  jsonSchema: {},
  signal: new AbortController().signal,
  agent: "a@1",
  step: "s",
};
const down = new ModelUnavailableError({ model: "m", reason: "connection" });

/** A client whose answers the test decides, and a count of the calls that reached it. */
function scripted() {
  const script = { next: (): Promise<ModelAnswer> => Promise.resolve(answer), asked: 0 };
  const client: ModelClient = {
    ask: () => {
      script.asked += 1;
      return script.next();
    },
    rehearsal: false,
    modelFor: () => "m",
    close: () => undefined,
  };
  return { script, client: withBreaker(client, { failuresMax: 3, openMs: 10_000 }) };
}

async function failTimes(client: ModelClient, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) await expect(client.ask(call)).rejects.toBe(down);
}

test("opens after failures in a row, says how long, and closes after a trial that works", async () => {
  const { script, client } = scripted();
  script.next = () => Promise.reject(down);
  await failTimes(client, 3);
  expect(client.state).toBe("open");
  vi.setSystemTime(1_004_000);
  await expect(client.ask(call)).rejects.toMatchObject({ code: "MODEL_CIRCUIT_OPEN", retryAfterMs: 6_000 });
  expect(script.asked).toBe(3);
  vi.setSystemTime(1_011_000);
  script.next = () => Promise.resolve(answer);
  expect(await client.ask(call)).toBe(answer);
  expect(client.state).toBe("closed");
});

test("opens again after a trial that fails or is given up", async () => {
  for (const outcome of [down, new Error("given up")]) {
    vi.setSystemTime(1_000_000);
    const { script, client } = scripted();
    script.next = () => Promise.reject(down);
    await failTimes(client, 3);
    vi.setSystemTime(1_011_000);
    script.next = () => Promise.reject(outcome);
    await expect(client.ask(call)).rejects.toBe(outcome);
    expect(client.state).toBe("open");
  }
});

test("lets one call through on trial and turns the others away at once", async () => {
  const { script, client } = scripted();
  script.next = () => Promise.reject(down);
  await failTimes(client, 3);
  vi.setSystemTime(1_011_000);
  const { promise, resolve } = Promise.withResolvers<ModelAnswer>();
  script.next = () => promise;
  const trial = client.ask(call);
  expect(client.state).toBe("half_open");
  await expect(client.ask(call)).rejects.toMatchObject({ code: "MODEL_CIRCUIT_OPEN" });
  resolve(answer);
  expect(await trial).toBe(answer);
});

test("does not open for what a healthy endpoint says", async () => {
  const { script, client } = scripted();
  const limited = new ModelRateLimitedError({ model: "m", retryAfterMs: 5 });
  script.next = () => Promise.reject(limited);
  for (let index = 0; index < 6; index += 1) await expect(client.ask(call)).rejects.toBe(limited);
  expect(client.state).toBe("closed");
});
