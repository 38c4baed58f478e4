import { describe, expect, it } from "vitest";
import { findRegressions } from "./find-regressions.ts";

const BEFORE = { begun: "2", requeues: "1", "s:grade": "1", "d:job.1": "{}", outcome: "{}", billed: "1|2" };

describe("two looks at one record of the ledger", () => {
  it("take what was added or counted on", () => {
    const after = { ...BEFORE, begun: "3", requeues: "2", "s:more": "2", "d:job.2": "{}", billed: "2|4" };
    expect(findRegressions(BEFORE, after)).toEqual([]);
  });

  it("take other bytes together with the outcome that they led to", () => {
    const open = { begun: "1", digest: "a", accepted: "now" };
    expect(findRegressions(open, { ...open, digest: "b", outcome: "{}" })).toEqual([]);
    expect(findRegressions(open, { ...open, digest: "b" })).toHaveLength(1);
    expect(findRegressions({ ...open, outcome: "{}" }, { ...open, digest: "b", outcome: "{}" })).toHaveLength(
      1,
    );
  });

  it.each([
    ["an outcome that is another", { ...BEFORE, outcome: '{"kind":"failed"}' }],
    ["a step that was written over", { ...BEFORE, "s:grade": "2" }],
    [
      "a step that is gone",
      Object.fromEntries(Object.entries(BEFORE).filter(([name]) => name !== "s:grade")),
    ],
    ["a count that fell", { ...BEFORE, begun: "1" }],
  ])("say it of %s", (_what, after) => {
    expect(findRegressions(BEFORE, after)).toHaveLength(1);
  });
});
