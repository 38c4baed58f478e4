import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FAILURE_CLASSES, SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import { HOSTILE_VALUES } from "#shared/testing";
import { MESSAGE_CHARACTERS_MAX, hideSecrets, toFailure, readStack } from "./normalise-error.ts";
import { routeFailure } from "./route-failure.ts";
import type { FailedDelivery } from "./route-failure.ts";

const TRAPS = ["get", "has", "getPrototypeOf", "ownKeys", "getOwnPropertyDescriptor"] as const;

const scene = { agent: "refunds@1", contract: "refunds.request@2", direction: "in" } as const;

describe("toFailure", () => {
  it("keeps the class, code and issues of our own errors", () => {
    const issues = [{ path: "/amount", code: "too_small", message: "must be positive" }];
    const error = new SutureError({ code: "X", failureClass: "timeout", message: "m", remedy: "r", issues });
    expect(toFailure(error, scene)).toMatchObject({ failure_class: "timeout", code: "X", issues });
  });

  it.each([null, undefined, "text", 7, Symbol("s"), () => 1, Object.create(null)])(
    "makes a handler_error of a thrown %s",
    (thrown) => {
      expect(toFailure(thrown, scene).failure_class).toBe("handler_error");
    },
  );

  it.each(Object.entries(HOSTILE_VALUES))("makes a bounded record of plain values of %s", (_, make) => {
    const failure = toFailure(make(), scene);
    expect(JSON.parse(JSON.stringify(failure))).toEqual(failure);
    expect(FAILURE_CLASSES).toContain(failure.failure_class);
    expect(failure.message.length).toBeLessThanOrEqual(MESSAGE_CHARACTERS_MAX);
  });

  it("never throws, whatever throws at whichever of its questions", () => {
    fc.assert(
      fc.property(fc.nat(30), fc.constantFrom(...TRAPS), fc.boolean(), (from, trap, isOurs) => {
        let asked = 0;
        const throwing = (): undefined => {
          asked += 1;
          if (asked > from) throw new Error("no");
          return undefined;
        };
        const target = isOurs
          ? new SutureError({ code: "X", failureClass: "timeout", message: "m", remedy: "r" })
          : new Error("x");
        const failure = toFailure(new Proxy(target, { [trap]: throwing }), scene);
        expect(failure.failure_class).toBe("handler_error");
      }),
    );
  });

  it("takes no class from a name or a text that BullMQ gives a meaning", () => {
    const named = Object.assign(new Error("bullmq:rateLimitExceeded"), { name: "DelayedError" });
    expect(toFailure(named, scene)).toMatchObject({ failure_class: "handler_error", code: "HANDLER_THREW" });
  });

  it("reads the issues of what a validator threw, of zod or another library, with JSON pointers", () => {
    const Order = z.strictObject({ lines: z.array(z.object({ "a/b": z.number() })) });
    const { error } = Order.safeParse({ lines: [{ "a/b": "x" }], more: 1 });
    expect(toFailure(error, scene)).toMatchObject({
      failure_class: "handler_error",
      message: expect.stringContaining("ZodError: /lines/0/a~1b: "),
      issues: [
        { path: "/lines/0/a~1b", code: "invalid_type" },
        { path: "/more", code: "unknown_field" },
      ],
    });
    const issue = { kind: "schema", type: "number", path: [{ key: "lines" }, { key: 3 }], message: "Wrong" };
    expect(toFailure(Object.assign(new Error("x"), { issues: [issue] }), scene).issues).toEqual([
      { path: "/lines/3", code: "number", message: "Wrong" },
    ]);
    expect(toFailure(Object.assign(new Error("x"), { issues: [issue, 7] }), scene).issues).toEqual([]);
  });
});

describe("hideSecrets", () => {
  it.each([
    ["key sk-abcdefghijklmnop failed", "sk-abcdefghijklmnop"],
    ["Authorization: Bearer abcdef.ghijkl", "abcdef.ghijkl"],
    ["redis://user:hunter22@host:6379", "hunter22"],
    ['{"api_key": "abc123456"}', "abc123456"],
    ["password=letmein99", "letmein99"],
  ])("takes the secret out of %s", (text, secret) => {
    expect(hideSecrets(text)).not.toContain(secret);
  });
});

const stackScene = { agent: "refunds@1", contract: null, direction: "run" } as const;

function throwIt(message: string): Error {
  return new TypeError(message);
}

it("names function, file and line of what threw, and no folder above the working one", () => {
  const stack = readStack(throwIt("x"));
  expect(stack[0]).toMatch(/^throwIt \(shared\/failure\/failure\.test\.ts:\d+:\d+\)$/);
  expect(stack.join("\n")).not.toContain(process.cwd());
});

it("names the user's files before those of packages, and of these only what is inside the package", () => {
  const error = new Error("x");
  error.stack = [
    "Error: x",
    "    at query (/srv/ada/shop/node_modules/pg/lib/client.js:1:2)",
    "    at node:internal/timers:3:4",
    `    at async handle (file://${process.cwd()}/team/refunds.ts:14:22)`,
    "    at async Promise.all (index 0)",
  ].join("\n");
  expect(readStack(error)).toEqual([
    "handle (team/refunds.ts:14:22)",
    "query (node_modules/pg/lib/client.js:1:2)",
    "node:internal/timers:3:4",
  ]);
});

it("leaves out a function's name that is data", () => {
  const name = "ada@example.com 4711";
  const made = { [name]: () => new Error("x") };
  const [frame] = readStack(made[name]?.() ?? new Error("none"));
  expect(frame).toMatch(/^shared\/failure\/failure\.test\.ts:\d+:\d+$/);
});

it("has no stack for what the agent's code did not throw", () => {
  expect(toFailure("text", stackScene)).not.toHaveProperty("stack");
});

const failed = (failureClass: FailureClass, more: Partial<FailedDelivery> = {}): FailedDelivery => ({
  failureClass,
  deliveries: 1,
  random: 0.5,
  requeues: 0,
  nowMs: 1_000_000,
  expiresAtMs: 2_000_000,
  retryAfterMs: null,
  onContentError: "ward",
  ...more,
});

describe("routeFailure", () => {
  it.each([
    ["parse_error", "ward"],
    ["validation_error", "ward"],
    ["content_error", "ward"],
    ["timeout", "retry"],
    ["transient", "retry"],
    ["unavailable", "retry"],
    ["handler_error", "retry"],
    ["rate_limited", "retry"],
    ["unsupported_version", "retry"],
    ["rejected", "reroute"],
    ["expired", "end"],
    ["hop_limit", "quarantine"],
    ["loop_detected", "quarantine"],
    ["budget_exceeded", "quarantine"],
    ["cancelled", "end"],
    ["crash_loop", "quarantine"],
    ["untrusted", "quarantine"],
    ["unsafe", "quarantine"],
  ] as const)("sends %s to %s on its first delivery", (failureClass, kind) => {
    expect(routeFailure(failed(failureClass)).kind).toBe(kind);
  });

  it.each(["timeout", "transient", "handler_error"] as const)(
    "sends %s to the ward after 3 deliveries",
    (one) => {
      expect(routeFailure(failed(one, { deliveries: 2 })).kind).toBe("retry");
      expect(routeFailure(failed(one, { deliveries: 3 })).kind).toBe("ward");
    },
  );

  it("retries without end where the agent says so", () => {
    const policy = { deliveriesMax: Infinity, delayMs: 1000, delayMsMax: 300_000 };
    expect(routeFailure(failed("transient", { deliveries: 100_000 }), policy).kind).toBe("retry");
  });

  it.each(["rate_limited", "unavailable"] as const)(
    "puts %s off for the time that is named and a pause that grows with each time, and counts no delivery",
    (one) => {
      const at = (requeues: number) =>
        routeFailure(failed(one, { deliveries: 50, requeues, retryAfterMs: 7000 }));
      expect(at(0)).toEqual({ kind: "retry", delayMs: 7500, counted: false });
      expect(at(3)).toEqual({ kind: "retry", delayMs: 11_000, counted: false });
      expect(at(1_000_000)).toEqual({ kind: "retry", delayMs: 157_000, counted: false });
    },
  );

  it("ends a rate-limited message at its expiry, not later", () => {
    expect(routeFailure(failed("rate_limited", { nowMs: 2_000_000, retryAfterMs: 1 }))).toEqual({
      kind: "end",
      end: "expired",
    });
    const late = routeFailure(failed("rate_limited", { nowMs: 1_999_000, retryAfterMs: 60_000 }));
    expect(late).toEqual({ kind: "retry", delayMs: 1000, counted: false });
  });

  it("does as the contract says with wrong content, and as the team says at a limit", () => {
    expect(routeFailure(failed("content_error", { onContentError: "quarantine" })).kind).toBe("quarantine");
    expect(routeFailure(failed("hop_limit", { onLimit: { hop_limit: "end" } }))).toEqual({
      kind: "end",
      end: "failed",
    });
    expect(routeFailure(failed("expired", { onLimit: { expired: "quarantine" } })).kind).toBe("quarantine");
  });

  it("never waits longer than the cap or past the expiry, and never for a negative time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FAILURE_CLASSES),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.option(fc.integer({ min: -10, max: 1e12 })),
        (failureClass, deliveries, random, nowMs, retryAfterMs) => {
          const route = routeFailure(failed(failureClass, { deliveries, random, nowMs, retryAfterMs }));
          if (route.kind !== "retry") return;
          expect(route.delayMs).toBeGreaterThanOrEqual(0);
          expect(route.delayMs).toBeLessThanOrEqual(300_000);
          expect(nowMs + route.delayMs).toBeLessThanOrEqual(Math.max(nowMs, 2_000_000));
        },
      ),
    );
  });

  it("refuses a caller's nonsense", () => {
    expect(() => routeFailure(failed("timeout", { deliveries: 0 }))).toThrow(RangeError);
    expect(() => routeFailure(failed("timeout", { random: 1 }))).toThrow(RangeError);
  });
});
