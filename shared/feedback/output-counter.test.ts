import { expect, it, vi } from "vitest";
import { openTestStore } from "#shared/testing";
import { OutputCounter } from "./output-counter.ts";

const made = (model: string) => ({ agent: "maker@1", contract: "part@1", model, prompt_version: "1" });

it("keeps a bounded number of producers apart, however many names an endpoint makes up, also while Redis is away", async () => {
  let told: ReadonlyMap<string, number> = new Map();
  const counter = new OutputCounter({
    countOutputs: ({ good = new Map() }) => {
      told = good;
      return Promise.reject(new Error("Redis is away"));
    },
    countHandoffs: () => Promise.resolve(),
    countCosts: () => Promise.resolve(),
  });
  for (let round = 0; round < 5; round += 1) {
    for (let i = 0; i < 300; i += 1) counter.count(made(`model-${round}-${i}`));
    await expect(counter.report()).rejects.toThrow("Redis is away");
  }
  await expect(counter.report()).rejects.toThrow("Redis is away");
  expect(told.size).toBeLessThanOrEqual(501);
  expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBe(1500);
});

it("keeps a bounded number of producers apart in Redis, counts the rest together, and lets every key age", async () => {
  const store = openTestStore();
  const many = new Map(Array.from({ length: 1300 }, (_, i) => [`a${i}@1|c@1|-|1`, 1] as const));
  await store.rates.countOutputs({ good: many });
  await store.rates.countOutputs({ bad: new Map([["a0@1|c@1|-|1", 1]]) });
  // More than one minute may have begun meanwhile, but each keeps its bound.
  const rates = await store.rates.producers("two_days");
  expect(rates.reduce((sum, { outputs }) => sum + outputs, 0)).toBe(1301);
  expect(rates.reduce((sum, { malformed }) => sum + malformed, 0)).toBe(1);
  expect(rates.find(({ agent }) => agent === "others")?.outputs).toBeGreaterThan(0);
  const keys = await store.redis.keys(`${store.keys.prefix}:*rates*`);
  expect(keys.length).toBeGreaterThan(1);
  for (const name of keys) {
    expect(await store.redis.hlen(name)).toBeLessThanOrEqual(402);
    expect(await store.redis.pttl(name)).toBeGreaterThan(0);
  }
});

it("adds up the calls of a payer by minute, hour and day, also those that could not be written at first", async () => {
  const store = openTestStore();
  const counter = new OutputCounter({
    countOutputs: (counts) => store.rates.countOutputs(counts),
    countHandoffs: (counts) => store.rates.countHandoffs(counts),
    countCosts: vi
      .fn((counts) => store.rates.countCosts(counts))
      .mockRejectedValueOnce(new Error("Redis is away")),
  });
  const payer = { team: "shop", agent: "maker", model: "gpt-5", tenant: "acme" };
  counter.countCall(payer, { cost: 0.25, tokens: 100 });
  await expect(counter.report()).rejects.toThrow("Redis is away");
  counter.countCall(payer, { cost: 0.5, tokens: 200 });
  counter.countCall({ ...payer, tenant: "other" }, { cost: 0.001, tokens: 3 });
  await counter.report();
  for (const span of ["hour", "two_days", "month"] as const) {
    const [dearest, second] = await store.rates.costs(span);
    expect(dearest).toMatchObject({ ...payer, calls: 2, tokens: 300, cost: 0.75 });
    expect(dearest?.trend.reduce((all, one) => all + one, 0)).toBe(0.75);
    expect(second).toMatchObject({ tenant: "other", calls: 1, tokens: 3, cost: 0.001 });
  }
});
