import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FAILURE_CLASSES, SutureError } from "#shared/errors";
import { HOSTILE_VALUES } from "#shared/testing";
import { MESSAGE_CHARACTERS_MAX, hideSecrets, toFailure } from "./normalise-error.ts";

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
    const issue = {
      kind: "schema",
      type: "number",
      path: [{ key: "lines" }, { key: 3 }],
      message: "Invalid",
    };
    expect(toFailure(Object.assign(new Error("x"), { issues: [issue] }), scene).issues).toEqual([
      { path: "/lines/3", code: "number", message: "Invalid" },
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
