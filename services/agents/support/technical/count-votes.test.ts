import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countVotes, normaliseSeverity, SEVERITIES } from "./count-votes.ts";

describe("the vote on severity", () => {
  test.each([
    ["HIGH.", "high"],
    [" sev 2 ", "high"],
    ["Major!", "high"],
    ["P1", "critical"],
    ["**low**", "low"],
    ["severity: medium", "medium"],
    ["high or critical", undefined],
    ["banana", undefined],
    ["", undefined],
  ])("reads %j as %s", (written, severity) => {
    expect(normaliseSeverity(written)).toBe(severity);
  });

  test.each([
    [["high", "HIGH", "low"], "high"],
    [["p1", "critical.", "medium"], "critical"],
    [["low", "medium", "critical"], "medium"],
    [["low", "high", "banana"], "high"],
    [["banana", "medium", ""], "medium"],
  ])("decides %j as %s", (votes, severity) => {
    expect(countVotes(votes)).toBe(severity);
  });

  test("decides nothing where no vote names a severity", () => {
    expect(() => countVotes(["banana", "?"])).toThrow(
      expect.objectContaining({ code: "SUPPORT_SEVERITY_UNDECIDED" }),
    );
  });

  test("follows a majority whatever the order of the votes", () => {
    const severity = fc.constantFrom(...SEVERITIES);
    fc.assert(
      fc.property(severity, severity, fc.nat(2), (most, other, place) => {
        const votes = [most, most].toSpliced(place, 0, other);
        expect(countVotes(votes)).toBe(most);
      }),
    );
  });
});
