import { expect, it, onTestFinished, vi } from "vitest";
import { testPrefix, testRedis } from "#shared/testing";
import { isRedisReply } from "./script.ts";
import { ScriptGroup } from "./script-group.ts";
import { recordStep } from "./scripts/ledger.ts";

/** Calls that record steps under one lock, and how many scripts Redis ran for them. */
function openGroup() {
  const redis = testRedis();
  const prefix = testPrefix();
  onTestFinished(() => redis.disconnect());
  const group = new ScriptGroup(recordStep, redis, true);
  const jobLock = `${prefix}:lock`;
  const ledgerOf = (name: string): string => `${prefix}:ledger:${name}`;
  const record = (name: string, given: { readonly result?: string; readonly token?: string } = {}) =>
    group.run({
      ledger: ledgerOf(name),
      jobLock,
      touches: [],
      token: given.token ?? "token",
      stepField: "s:step",
      result: given.result ?? name,
      digest: "d",
      accountField: "a:step",
      account: null,
      promptKey: null,
      promptText: null,
      promptLifeMs: 1,
    });
  const sent = vi.spyOn(redis, "evalsha");
  return {
    redis,
    record,
    ledgerOf,
    ready: redis.set(jobLock, "token", "PX", 60_000),
    count: () => sent.mock.calls.length,
  };
}

it("runs what one turn calls as one script, each with its own reply, and refuses one alone", async () => {
  const { redis, record, ledgerOf, ready, count } = openGroup();
  await ready;
  await redis.set(ledgerOf("damaged"), "not a hash");
  const settled = await Promise.allSettled([
    record("a"),
    record("damaged"),
    record("zombie", { token: "another" }),
    record("a", { result: "again" }),
    record("b", { result: "line\nbreak" }),
  ]);
  expect(settled.map((one) => (one.status === "fulfilled" ? one.value : isRedisReply(one.reason)))).toEqual([
    { kind: "recorded" },
    true,
    { kind: "lost" },
    { kind: "before", result: "a" },
    { kind: "recorded" },
  ]);
  expect(settled[1]).toMatchObject({ reason: { message: expect.stringMatching(/^WRONGTYPE/) } });
  expect(await redis.hget(ledgerOf("b"), "s:step")).toBe("line\nbreak");
  expect(await redis.exists(ledgerOf("zombie"))).toBe(0);
  // Once by the digest, in vain where no test has used it before, and once more.
  expect(count()).toBeLessThanOrEqual(2);
});

it("sends at most sixteen at once, and large ones apart", async () => {
  const { record, ready, count } = openGroup();
  await ready;
  await Promise.all([record("first"), record("second")]);
  await record("alone");
  const before = count();
  await Promise.all(Array.from({ length: 40 }, (_, i) => record(`small ${i}`)));
  expect(count() - before).toBe(3);
  const large = "x".repeat(200_000);
  await Promise.all(["e", "f", "g"].map((name) => record(name, { result: large })));
  expect(count() - before).toBe(6);
});

it("tells each caller where Redis cannot be reached", async () => {
  const { redis, record, ready } = openGroup();
  await ready;
  redis.disconnect();
  const settled = await Promise.allSettled([record("a"), record("b")]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
