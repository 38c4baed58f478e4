import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { setClock } from "#shared/clock";
import { ModelMisconfiguredError, ModelTimeoutError, ModelUnavailableError } from "#shared/model";
import type { WebhookEvent } from "#shared/config";
import { WEBHOOK_DATA } from "#shared/testing";
import type { BreakingModelClient, ModelAnswer, ModelCall, ModelClient } from "#shared/model";
import type { EndpointCircuitRule } from "#shared/store/feedback";
import { openTestStore } from "#shared/testing";
import { shareCircuits } from "./share-circuits.ts";

const ANSWER: ModelAnswer = {
  text: "{}",
  model: "m",
  usage: { input_tokens: 1, output_tokens: 1 },
  cost: 1,
  finish: "stop",
  durationMs: 1,
};
const CALL: ModelCall = {
  tier: "worker",
  instructions: "",
  input: "{}",
  schemaName: "a",
  jsonSchema: {},
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  agent: "a@1",
  step: "s",
};
const DOWN = new ModelUnavailableError({ model: "m", reason: "connection" });
const WRONG_KEY = new ModelMisconfiguredError({ model: "m", status: 401 });
const LATE = new ModelTimeoutError({ model: "m", timeoutMs: 20_000 });

/** One endpoint, which every process of the test asks, and a clock that the test moves. */
function openEndpoint() {
  const store = openTestStore();
  // The clock stands still unless the test moves it: what is believed for a second is, however busy the machine.
  let nowMs = Date.now();
  onTestFinished(setClock({ now: () => nowMs }));
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const endpoint = {
    next: (): Promise<ModelAnswer> => Promise.resolve(ANSWER),
    asked: 0,
    store,
    lines,
    open(rule?: Partial<EndpointCircuitRule>): BreakingModelClient {
      const client: ModelClient = {
        ask: () => {
          endpoint.asked += 1;
          return endpoint.next();
        },
        rehearsal: false,
        endpoint: "http://user:sk-secret@model.example/v1",
        modelFor: () => "m",
        roomOf: () => 0,
        close: () => undefined,
      };
      return shareCircuits(client, { store, logger, circuit: rule });
    },
    pass: (ms: number) => (nowMs += ms),
  };
  return endpoint;
}

async function fail(client: BreakingModelClient, error: Error, times = 3): Promise<void> {
  for (let index = 0; index < times; index += 1) await expect(client.ask(CALL)).rejects.toBe(error);
}

const IS_OPEN = { code: "MODEL_CIRCUIT_OPEN", failureClass: "unavailable" };

describe("a circuit that processes share", () => {
  it("opens for all after failures in a row of any, and closes for all after one probe", async () => {
    const endpoint = openEndpoint();
    const [one, other] = [endpoint.open(), endpoint.open()];
    endpoint.next = () => Promise.reject(DOWN);
    await fail(one, DOWN, 2);
    await fail(other, DOWN, 1);
    await expect(one.ask(CALL)).rejects.toMatchObject(IS_OPEN);
    await expect(other.ask(CALL)).rejects.toMatchObject({ ...IS_OPEN, retryAfterMs: expect.any(Number) });
    expect(endpoint.asked).toBe(3);
    endpoint.pass(1000);
    await fail(other, DOWN, 1);
    // The pause is twice as long now.
    endpoint.pass(1000);
    await expect(one.ask(CALL)).rejects.toMatchObject(IS_OPEN);
    expect(endpoint.asked).toBe(4);
    endpoint.pass(1000);
    endpoint.next = () => Promise.resolve(ANSWER);
    expect(await one.ask(CALL)).toBe(ANSWER);
    expect(await other.ask(CALL)).toBe(ANSWER);
  });

  it("sends one probe at a time, and another when the process that sent it is dead", async () => {
    const endpoint = openEndpoint();
    const [one, other] = [endpoint.open(), endpoint.open()];
    endpoint.next = () => Promise.reject(DOWN);
    await fail(one, DOWN);
    endpoint.pass(1000);
    // It never hears back: its process was killed.
    endpoint.next = () => new Promise(() => undefined);
    void one.ask(CALL);
    await expect.poll(() => endpoint.asked).toBe(4);
    await expect(other.ask(CALL)).rejects.toMatchObject(IS_OPEN);
    endpoint.pass(14_000);
    await expect(other.ask(CALL)).rejects.toMatchObject(IS_OPEN);
    expect(endpoint.asked).toBe(4);
    endpoint.pass(2000);
    endpoint.next = () => Promise.resolve(ANSWER);
    expect(await other.ask(CALL)).toBe(ANSWER);
  });

  it("takes a call that ran out of time for the message's fault while others are answered, else for its own", async () => {
    const endpoint = openEndpoint();
    const [one, other] = [endpoint.open(), endpoint.open()];
    const late = (): Promise<ModelAnswer> => {
      endpoint.pass(20_000);
      return Promise.reject(LATE);
    };
    endpoint.next = late;
    await expect(one.ask(CALL)).rejects.toMatchObject({ code: "MODEL_TIMEOUT", failureClass: "unavailable" });
    endpoint.next = () => Promise.resolve(ANSWER);
    await one.ask(CALL);
    for (let index = 0; index < 5; index += 1) {
      endpoint.next = async () => {
        endpoint.pass(15_000);
        endpoint.next = () => Promise.resolve(ANSWER);
        await other.ask(CALL);
        endpoint.pass(5000);
        throw LATE;
      };
      await expect(one.ask(CALL)).rejects.toMatchObject({ code: "MODEL_TIMEOUT", failureClass: "timeout" });
    }
    // None of these has spoken against the endpoint.
    endpoint.next = late;
    for (let index = 0; index < 3; index += 1)
      await expect(one.ask(CALL)).rejects.toMatchObject({ failureClass: "unavailable" });
    await expect(one.ask(CALL)).rejects.toMatchObject(IS_OPEN);
  });
});

describe("what people hear of a circuit", () => {
  it("is a notice at once where a setting is wrong, after 10 s for all else, and one when it is over", async () => {
    const endpoint = openEndpoint();
    const client = endpoint.open({ probeMsMax: 1000 });
    const told = async (): Promise<string[]> => {
      const { store } = endpoint;
      const entries = await store.redis.xrange(store.keys.notices(), "-", "+");
      return entries.map(([, [, type = "", , , , text = ""]]) => {
        const data: unknown = JSON.parse(text);
        expect(WEBHOOK_DATA[type as WebhookEvent].parse(data)).toEqual(data);
        return type;
      });
    };
    const heal = async (): Promise<void> => {
      endpoint.pass(1000);
      endpoint.next = () => Promise.resolve(ANSWER);
      await client.ask(CALL);
    };
    endpoint.next = () => Promise.reject(DOWN);
    await fail(client, DOWN);
    await heal();
    // Over within a second: no news.
    expect(await told()).toEqual([]);
    endpoint.next = () => Promise.reject(DOWN);
    await fail(client, DOWN);
    for (let index = 0; index < 12; index += 1) {
      endpoint.pass(1000);
      await fail(client, DOWN, 1);
    }
    await heal();
    expect(await told()).toEqual(["endpoint.paused", "endpoint.resumed"]);
    endpoint.next = () => Promise.reject(WRONG_KEY);
    await fail(client, WRONG_KEY);
    expect(await told()).toEqual(["endpoint.paused", "endpoint.resumed", "endpoint.paused"]);
  });
});

describe("the price of a circuit", () => {
  it("is a question and an answer to Redis a second, however many calls are made", async () => {
    const endpoint = openEndpoint();
    const client = endpoint.open();
    await client.ask(CALL);
    const { redis } = endpoint.store;
    const asked: string[] = [];
    const evalsha = redis.evalsha.bind(redis);
    Object.assign(redis, {
      evalsha: (...args: Parameters<typeof evalsha>) => {
        asked.push(String(args[0]));
        return evalsha(...args);
      },
    });
    for (let index = 0; index < 200; index += 1) await client.ask(CALL);
    expect(asked.length).toBe(0);
    endpoint.pass(1000);
    await client.ask(CALL);
    expect(asked.length).toBe(2);
  });
});
