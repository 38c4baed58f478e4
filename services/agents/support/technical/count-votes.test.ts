import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SEVERITIES, countVotes } from "./answer.ts";

describe("the vote on severity", () => {
  test.each([
    [["high", "high", "low"], "high"],
    [["low", "medium", "critical"], "medium"],
    [["low", "high"], "high"],
  ] as const)("decides %j as %s", (votes, severity) => {
    expect(countVotes(votes)).toBe(severity);
  });

  test("follows a majority whatever the order of the votes", () => {
    const severity = fc.constantFrom(...SEVERITIES);
    fc.assert(
      fc.property(severity, severity, (most, other) => {
        expect(countVotes([other, most, most])).toBe(most);
        expect(countVotes([most, other, most])).toBe(most);
        expect(countVotes([most, most, other])).toBe(most);
      }),
    );
  });
});
