import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it, describe, test } from "vitest";
import { openTestStore } from "#shared/testing";
import { checkDataFormat, DATA_FORMAT } from "./data-format.ts";
import { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "./feedback/endpoint-circuits.ts";
import { judgeStore } from "./index.ts";
import { ErrorThrottle } from "./queues/error-throttle.ts";
import { toStoredText } from "./queues/job-data.ts";

const agent = {
  agent: "triage@1",
  version: 1,
  team: "support",
  accepts: "mail@1",
  capabilities: [],
  description: "",
  concurrency: 1,
  instance: "i",
  pid: 1,
  started_ms: 0,
};

it("marks an empty store once, for all processes that start at the same time", async () => {
  const store = openTestStore();
  await Promise.all(Array.from({ length: 5 }, () => checkDataFormat(store)));
  expect(await store.redis.get(store.keys.dataFormat())).toBe(String(DATA_FORMAT));
  await store.registry.announce([agent]);
  await checkDataFormat(store);
});

it.each(["1", String(DATA_FORMAT + 1), "soon"])(
  "refuses data of format %s, and says what to do",
  async (format) => {
    const store = openTestStore();
    await store.redis.set(store.keys.dataFormat(), format);
    const refused = { code: "STORE_UNFIT", remedy: expect.stringContaining("SUTURE_PREFIX") };
    await expect(checkDataFormat(store)).rejects.toMatchObject(refused);
    expect(await store.redis.get(store.keys.dataFormat())).toBe(format);
  },
);

it("takes agents without a mark for data of a release before 0.2, and leaves them unmarked", async () => {
  const store = openTestStore();
  await store.registry.announce([agent]);
  await expect(checkDataFormat(store)).rejects.toThrow(/holds data of format 1/);
  expect(await store.redis.exists(store.keys.dataFormat())).toBe(0);
});

it("tells a Redis that works from one that is full and one that is not there", async () => {
  const store = openTestStore();
  expect(await judgeStore(store)).toBe("ready");
  expect(await judgeStore(store, { memoryShareMax: 1 })).toBe("ready");
  expect(await judgeStore(store, { memoryShareMax: 0 })).toBe("store_full");
  const away = openTestStore({ url: "redis://127.0.0.1:9" });
  const askedMs = performance.now();
  expect(await judgeStore(away)).toBe("store_unreachable");
  expect(performance.now() - askedMs).toBeLessThan(2000);
});

/** Returns the assumptions that V8 gave up while `script` ran in a process of its own, one a line. */
function givenUpBy(script: string): string {
  const options = ["--trace-protector-invalidation", "--input-type=module", "--eval", script];
  return execFileSync(process.execPath, options, { encoding: "utf8", timeout: 60_000 });
}

const STRINGS_ARE_SLOW = "StringWrapperToPrimitive";

describe("strings", () => {
  test.each(["#shared/store", "#shared/store/queues", "#shared/store/upkeep", "#shared/runtime"])(
    "stay fast with %s",
    (room) => {
      expect(givenUpBy(`await import("${room}")`)).not.toContain(STRINGS_ARE_SLOW);
    },
  );

  test.each([
    ["of another major version", 'require("ioredis/package.json").version = "7.0.0";'],
    ["that is loaded already", 'require("ioredis");'],
  ])("are slow with an ioredis %s, which is left as it is", (_, before) => {
    const script = `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      ${before}
      const { areStringsFast } = await import("#shared/store");
      const { VerbatimString } = require("ioredis/built/resp/verbatim-string.js");
      console.log(areStringsFast, new VerbatimString("txt", "a") instanceof String);`;
    expect(givenUpBy(script)).toContain("false true");
  });

  test("are slowed by ioredis itself, or this room need not prevent it", () => {
    expect(givenUpBy('await import("ioredis")')).toContain(STRINGS_ARE_SLOW);
  });
});

const oom = new Error("OOM command not allowed when used memory > 'maxmemory'.");

describe("the pace of errors", () => {
  it("holds nobody up for an error now and then", () => {
    const pace = new ErrorThrottle();
    for (let second = 0; second < 100; second += 1) expect(pace.next(oom, second * 2000).holdMs).toBe(0);
  });

  it("pauses longer and longer while errors spin, never more than 5 s, and forgets it at the first success", () => {
    const pace = new ErrorThrottle();
    const holds = Array.from({ length: 12 }, (_, i) => pace.next(oom, i).holdMs);
    expect(holds).toEqual([0, 0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000]);
    pace.succeeded();
    expect(pace.next(oom, 13).holdMs).toBe(0);
  });

  it("lets through a bounded number of errors whatever their times, when each pause is kept", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 400, maxLength: 400 }), (gaps) => {
        const pace = new ErrorThrottle();
        let atMs = 0;
        let count = 0;
        for (const gap of gaps) {
          if (atMs > 60_000) break;
          count += 1;
          atMs += gap + pace.next(oom, atMs).holdMs;
        }
        // The burst, the doubling pauses, then one in 5 s.
        expect(count).toBeLessThan(25);
      }),
    );
  });

  it("tells one error of a kind in 10 s, with the number of those that it kept quiet about", () => {
    const pace = new ErrorThrottle();
    const other = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    expect(pace.next(oom, 0)).toMatchObject({ isReported: true, suppressed: 0 });
    for (let i = 1; i <= 40; i += 1) expect(pace.next(oom, i).isReported).toBe(false);
    expect(pace.next(other, 41)).toMatchObject({ isReported: true, suppressed: 0 });
    expect(pace.next(oom, 10_000)).toMatchObject({ isReported: true, suppressed: 40 });
  });
});

it("writes what JSON.stringify writes, in the same order, whatever the job holds", () => {
  const data = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record({ sealed: fc.string({ unit: "binary" }), attempt: fc.nat(), seal: fc.jsonValue() }),
    fc.record({ sealed: fc.jsonValue(), encoding: fc.constantFrom(undefined, "gzip") }),
    fc.record({ attempt: fc.nat(), sealed: fc.string() }),
  );
  fc.assert(
    fc.property(data, (job) => {
      expect(toStoredText(job)).toBe(JSON.stringify(job));
    }),
  );
});

const rule = ENDPOINT_CIRCUIT_RULE_DEFAULT;
const ENDPOINT = { url: "http://model.example/v1", model: "m" };

it("leaves an endpoint alone for no longer than our own rule says, whatever time it asks for", async () => {
  const { endpoints } = openTestStore();
  for (let n = 0; n < rule.failuresMax + 1; n += 1)
    await endpoints.report(ENDPOINT, {
      rule,
      probe: null,
      outcome: "failed",
      reason: "rate_limited",
      retryAfterMs: 1e12,
      clearedByAnswerSinceMs: null,
      answeredMs: 0,
      host: "model.example",
    });
  const { verdict, waitMs } = await endpoints.admit(ENDPOINT, {
    rule,
    token: "t",
    leaseMs: 1000,
    isFirst: false,
  });
  expect(verdict).toBe("wait");
  expect(waitMs).toBeGreaterThan(1000);
  expect(waitMs).toBeLessThanOrEqual(rule.probeMsMax);
});
