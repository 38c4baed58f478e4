import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GuardDefinitionError } from "./errors.ts";
import { checkGuard } from "./guard-declaration.ts";
import { carryTaint, joinTaint, labelsAt, labelsOf, narrowScope, readTaint, scopeOf } from "./taint.ts";

describe("taint", () => {
  it("holds for a place by the longest pointer that leads there", () => {
    const taint = { "": ["customer"], "/order": [], "/order/note": ["web"] };
    expect(labelsAt(taint, "/body")).toEqual(["customer"]);
    expect(labelsAt(taint, "/order/id")).toEqual([]);
    expect(labelsAt(taint, "/order/note/0")).toEqual(["web"]);
    expect(labelsAt(taint, "/order")).toEqual(["web"]);
    expect(labelsAt(taint, "/orders")).toEqual(["customer"]);
  });

  it("adds what a receiver says of a place to what came with it", () => {
    const joined = joinTaint({ "": ["web"] }, { "/body": "customer" });
    expect(labelsAt(joined, "/body")).toEqual(["web", "customer"]);
    expect(labelsAt(joined, "/else")).toEqual(["web"]);
  });

  it("marks everything where the labels that came cannot be read", () => {
    for (const odd of [7, [], "x", { "/a": "customer" }, { "": [1] }])
      expect(labelsOf(readTaint({ taint: odd }) ?? {})).toEqual(["unreadable"]);
    expect(readTaint({})).toBeNull();
  });

  it("never loses a label on the way, except where an author vouches for a place", () => {
    const label = fc.constantFrom("customer", "web", "tool", "mail");
    const pointer = fc.constantFrom("", "/a", "/a/b", "/c");
    fc.assert(
      fc.property(
        fc.dictionary(pointer, fc.array(label)),
        fc.dictionary(pointer, label),
        pointer,
        (came, own, place) => {
          const joined = joinTaint(readTaint({ taint: came }), own);
          const before = new Set([...Object.values(came).flat(), ...Object.values(own)]);
          expect(new Set(labelsOf(joined))).toEqual(before);
          const carried = carryTaint(labelsOf(joined), ["/vouched"]) ?? {};
          expect(new Set(labelsAt(carried, place === "" ? "/x" : place))).toEqual(before);
          expect(labelsAt(carried, "/vouched")).toEqual([]);
        },
      ),
    );
  });
});

describe("scope", () => {
  it("only ever narrows, whatever is asked for and in whatever order", () => {
    const actions = fc.array(fc.constantFrom("pay", "mail", "ticket", "delete"));
    fc.assert(
      fc.property(fc.array(actions, { minLength: 1 }), (asked) => {
        let scope: readonly string[] | null = null;
        for (const one of asked) {
          const narrower = narrowScope(scope, one);
          for (const action of narrower) {
            expect(one).toContain(action);
            if (scope !== null) expect(scope).toContain(action);
          }
          scope = narrower;
        }
      }),
    );
  });

  it("allows nothing where it cannot be read", () => {
    // Only the one field is looked at.
    const meta = (may_cause: unknown) => ({ may_cause }) as unknown as Parameters<typeof scopeOf>[0];
    expect(scopeOf(meta("everything"))).toEqual([]);
    expect(scopeOf(meta([1, "pay"]))).toEqual(["pay"]);
    expect(scopeOf(meta(undefined))).toBeNull();
  });
});

describe("checkGuard", () => {
  it.each([
    ["an action that is no word", { mayCause: ["pay everything"] }],
    ["a taint for an action that it may not cause", { mayCause: [], refusesTaint: { pay: ["web"] } }],
    ["a receiver it does not hand to", { clean: { nobody: ["/a"] } }],
    ["a pointer that is none", { untrusted: { payload: { body: "customer" } } }],
    ["a score above one", { injection: { reaction: "flag" as const, at: 2 } }],
  ])("refuses %s", (_, declared) => {
    expect(() => checkGuard(declared, ["next"])).toThrow(GuardDefinitionError);
  });
});
