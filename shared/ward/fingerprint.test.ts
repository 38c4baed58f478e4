import { describe, expect, test } from "vitest";
import { groupOf } from "./fingerprint.ts";
import type { FingerprintInput } from "./fingerprint.ts";

const fingerprint = (input: FingerprintInput): string => groupOf(input).fingerprint;

const BASE: FingerprintInput = {
  agent: "refunds",
  contract: "refunds.request@2",
  failure_class: "validation_error",
  schema: {
    properties: { items: { items: { properties: { sku: { type: "string" } } } }, total: { type: "number" } },
  },
  value: { items: [], total: "12" },
  issues: [],
};
const issue = (path: string, code = "invalid_type"): FingerprintInput["issues"][number] => ({
  path,
  code,
  message: path,
});

describe("fingerprint", () => {
  test("is the same wherever in a list the fault is, however often, in whatever order", () => {
    const one = fingerprint({ ...BASE, issues: [issue("/items/0/sku"), issue("/total")] });
    expect(
      fingerprint({ ...BASE, issues: [issue("/total"), issue("/items/7/sku"), issue("/items/31/sku")] }),
    ).toBe(one);
  });

  test.each([
    ["agent", { agent: "triage" }],
    ["contract", { contract: "refunds.request@3" }],
    ["class", { failure_class: "parse_error" as const }],
    ["issues", { issues: [issue("/total")] }],
    ["the place of a fault", { issues: [issue("/items")] }],
  ])("differs by %s", (_, change) => {
    expect(fingerprint({ ...BASE, ...change })).not.toBe(fingerprint(BASE));
  });

  test("tells a missing value from one of another type, and no undeclared names apart", () => {
    const at = (path: string, value: FingerprintInput["value"]): string =>
      fingerprint({ ...BASE, issues: [issue(path)], value });
    expect(at("/total", {})).not.toBe(at("/total", { total: "12" }));
    expect(at("/total", { total: "13" })).toBe(at("/total", { total: "12" }));
    expect(at("/Ada", { Ada: 1 })).toBe(at("/Bob", { Bob: 2 }));
    expect(at("/total", undefined)).toBe(at("/total", undefined));
  });

  test("takes ids, numbers and quoted text out of thrown messages", () => {
    const thrown = (message: string): string =>
      fingerprint({ ...BASE, failure_class: "handler_error", message });
    const one = thrown(
      'Order 4711 of "Ann" (0190c4b2-7d1f-7000-8000-000000000000, ord_8fa21c) failed after 1.5 s',
    );
    expect(
      thrown('order 12 of "Bob" (0190ffff-7d1f-7000-8000-00000000abcd, ord_99ab00) failed after 20 s'),
    ).toBe(one);
    expect(thrown("Connection refused")).not.toBe(one);
  });

  test("says what it stands for in words of the contract, and no error of a contract with anything sensitive", () => {
    const issues = [issue("/total"), issue("/items/3/Ada")];
    expect(groupOf({ ...BASE, issues }).cause).toEqual([
      "invalid_type /items/*/* missing",
      "invalid_type /total string",
    ]);
    const thrown = { ...BASE, failure_class: "handler_error" as const, message: "No lamp for Ada" };
    expect(groupOf(thrown).cause).toEqual(["no lamp for ada"]);
    const schema = { properties: { name: { type: "string", "x-sensitive": true } } };
    expect(groupOf({ ...thrown, schema }).cause).toEqual([]);
  });
});
