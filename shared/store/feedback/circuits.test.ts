import fc from "fast-check";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { randomHex, setClock } from "#shared/clock";
import { deleteUnder, openTestStore } from "#shared/testing";
import type { CircuitRule, CircuitState } from "./circuit-store.ts";
import { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "./endpoint-circuits.ts";

const START_MS = 1_800_000_000_000;
const BUCKET_MS = 10_000;
const PRODUCER = { agent: "maker@1", contract: "part@1", model: "m-1", prompt_version: "3" };

const RULE: CircuitRule = {
  threshold: 0.5,
  outputsMin: 4,
  windowMs: 60_000,
  cooldownMs: 30_000,
  trialOutputs: 3,
  countedShare: 0.25,
  reaction: "alert",
};

let nowMs = START_MS;
let restoreClock: () => void = () => undefined;

function moveClock(): void {
  nowMs = START_MS;
  restoreClock = setClock({ now: () => nowMs });
}

afterEach(() => restoreClock());

/** What the script should do, written down once more without Redis. */
class Model {
  state: CircuitState = "closed";
  generation = 0;
  private untilMs: number | null = null;
  private buckets = new Map<number, { good: number; malformed: number }>();

  private move(to: CircuitState, untilMs: number | null): void {
    this.state = to;
    this.untilMs = untilMs;
    this.generation += 1;
    this.buckets.clear();
  }

  private bucket(): { good: number; malformed: number } {
    const at = Math.floor(nowMs / BUCKET_MS);
    const present = this.buckets.get(at) ?? { good: 0, malformed: 0 };
    this.buckets.set(at, present);
    return present;
  }

  malformed(point: number): void {
    if (this.state === "open" || (this.state === "half_open" && point >= RULE.countedShare)) return;
    this.bucket().malformed += 1;
  }

  set(to: "open" | "closed"): void {
    this.move(to, null);
  }

  tell(good: number, generation: number): void {
    if (this.state === "open") {
      if (this.untilMs !== null && nowMs >= this.untilMs) this.move("half_open", null);
      return;
    }
    if (generation === this.generation) this.bucket().good += good;
    const sinceMs = this.state === "closed" ? nowMs - RULE.windowMs : 0;
    const recent = [...this.buckets].filter(([at]) => (at + 1) * BUCKET_MS > sinceMs).map(([, sums]) => sums);
    const bad = recent.reduce((sum, one) => sum + one.malformed, 0);
    const outputs = bad + recent.reduce((sum, one) => sum + one.good, 0);
    if (this.state === "closed") {
      const opens = bad > 0 && outputs >= RULE.outputsMin && bad / outputs >= RULE.threshold;
      if (opens) this.move("open", nowMs + RULE.cooldownMs);
      return;
    }
    const enough = outputs >= RULE.trialOutputs;
    if (bad > 0 && bad / (enough ? outputs : RULE.trialOutputs) >= RULE.threshold)
      this.move("open", nowMs + RULE.cooldownMs);
    else if (enough) this.move("closed", null);
  }
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("malformed" as const),
        point: fc.double({ min: 0, max: 0.999, noNaN: true }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("tell" as const),
        good: fc.integer({ min: 0, max: 4 }),
        who: fc.integer({ min: 0, max: 1 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 45_000 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("set" as const),
        to: fc.constantFrom("open" as const, "closed" as const),
      }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

it("moves as its model does, whichever of two processes tells, and says it the same to both", async () => {
  moveClock();
  const prefixes: string[] = [];
  onTestFinished(async () => {
    for (const prefix of prefixes) await deleteUnder(prefix);
  });
  const prefix = `t${randomHex(6)}`;
  prefixes.push(prefix);
  const stores = [openTestStore({ prefix }), openTestStore({ prefix })];
  let runs = 0;
  const seen = new Set<CircuitState>();
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const agent = `maker${(runs += 1)}`;
      const model = new Model();
      const heard = [0, 0];
      const tell = async (who: 0 | 1, good: number): Promise<void> => {
        const [told] =
          (await stores[who]?.circuits.report({
            by: "test",
            outputs: new Map(),
            circuits: [{ agent, rule: RULE, good, generation: heard[who] ?? 0 }],
          })) ?? [];
        model.tell(good, heard[who] ?? 0);
        heard[who] = told?.generation ?? -1;
        expect(told?.state).toBe(model.state);
        expect(told?.generation).toBe(model.generation);
        seen.add(model.state);
      };
      await tell(0, 0);
      for (const step of plan) {
        if (step.kind === "wait") nowMs += step.ms;
        else if (step.kind === "tell") await tell(step.who === 0 ? 0 : 1, step.good);
        else if (step.kind === "set") {
          model.set(step.to);
          expect(await stores[0]?.circuits.set({ agent, to: step.to, by: "ada", why: "" })).toBe("set");
        } else {
          model.malformed(step.point);
          await stores[1]?.circuits.countMalformed({ producer: PRODUCER, agent, point: step.point });
        }
      }
      await tell(1, 0);
    }),
    { numRuns: 120 },
  );
  expect([...seen].toSorted()).toEqual(["closed", "half_open", "open"]);
});

it("keeps a bounded number of producers apart, counts the rest together, and lets every key age", async () => {
  const store = openTestStore();
  const many = Array.from({ length: 1300 }, (_, i) => [`a${i}@1|c@1|-|1`, 1] as const);
  await store.circuits.report({ by: "test", outputs: new Map(many), circuits: [] });
  // More than one minute may have begun meanwhile, but each keeps its bound.
  const rates = await store.rates.read("two_days");
  expect(rates.reduce((sum, { outputs }) => sum + outputs, 0)).toBe(1300);
  expect(rates.find(({ agent }) => agent === "others")?.outputs).toBeGreaterThan(0);
  const keys = await store.redis.keys(`${store.keys.prefix}:*rates*`);
  expect(keys.length).toBeGreaterThan(1);
  for (const name of keys) {
    expect(await store.redis.hlen(name)).toBeLessThanOrEqual(401);
    expect(await store.redis.pttl(name)).toBeGreaterThan(0);
  }
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
