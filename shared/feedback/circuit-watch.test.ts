import { expect, it } from "vitest";
import type { Store } from "#shared/store";
import { openTestStore } from "#shared/testing";
import { CircuitWatch, readCircuitPolicy } from "./circuit-watch.ts";
import type { CircuitDeclaration, CircuitPolicy } from "./circuit-watch.ts";

function policy(declared: CircuitDeclaration): CircuitPolicy {
  const read = readCircuitPolicy(declared);
  if ("problem" in read) throw new Error(read.problem);
  return read.policy;
}

function watch(store: Store, declared: CircuitDeclaration): CircuitWatch {
  const policies = new Map([["maker", policy(declared)]]);
  return new CircuitWatch({ circuits: store.circuits, policies, by: "test" });
}

const made = (messageId: string, model = "m-1") => ({
  agent: "maker",
  producer: { agent: "maker@1", contract: "part@1", model, prompt_version: "1" },
  messageId,
});

it("keeps a bounded number of producers apart, however many names an endpoint makes up, also while Redis is away", async () => {
  const store = openTestStore();
  const one = watch(store, {});
  let told: ReadonlyMap<string, number> = new Map();
  store.circuits.report = ({ outputs }) => {
    told = outputs;
    return Promise.reject(new Error("Redis is away"));
  };
  for (let round = 0; round < 5; round += 1) {
    for (let i = 0; i < 300; i += 1) one.count(made("a", `model-${round}-${i}`));
    await expect(one.report()).rejects.toThrow("Redis is away");
  }
  await expect(one.report()).rejects.toThrow("Redis is away");
  expect(told.size).toBeLessThanOrEqual(201);
  expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBe(1500);
});

it("replaces all while open, and on trial the same share of messages in every process", async () => {
  const store = openTestStore();
  const [one, other] = [
    watch(store, { trialShare: 0.25, cooldownMs: 100 }),
    watch(store, { trialShare: 0.25 }),
  ];
  const ids = Array.from({ length: 2000 }, (_, i) => `message-${i}`);
  const replaced = (by: CircuitWatch): string[] => ids.filter((id) => by.isReplaced("maker", id));
  await one.report();
  expect(replaced(one)).toEqual([]);
  await store.circuits.set({ agent: "maker", to: "open", by: "ada", why: "" });
  await one.report();
  expect(replaced(one)).toEqual(ids);
  await store.redis.hset(store.keys.feedback("circuit:maker"), "held_by", "", "until_ms", 1);
  await one.report();
  await other.report();
  expect(one.stateOf("maker")).toBe("half_open");
  expect(replaced(one)).toEqual(replaced(other));
  expect(replaced(one).length / ids.length).toBeCloseTo(0.75, 1);
});

it.each([
  ["a share of nothing", { threshold: 0 }],
  ["a share above all", { threshold: 1.01 }],
  ["a window shorter than three steps", { windowMs: 29_999 }],
  ["a window longer than is kept", { windowMs: 3_600_001 }],
  ["an unknown reaction", { reaction: { kind: "ignore" } }],
  ["a fallback to nothing", { reaction: { kind: "fall_back" } }],
  ["a fallback to two things", { reaction: { kind: "fall_back", agent: "a", tier: "router" } }],
  ["a word that means nothing", { treshold: 0.5 }],
])("refuses %s", (_what, declared) => {
  expect(readCircuitPolicy(declared)).toHaveProperty("problem");
});
