import { beforeEach, describe, expect, test } from "vitest";
import fc from "fast-check";
import { openSupport } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";
import { SEVERITIES, countVotes } from "./agent.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});

const issue = {
  product: "app",
  symptoms: ["the app crashes"],
  customer_email: "kelly@mail.example",
  language: "de",
  summary: "The app crashes.",
  text: "Die App stürzt ab.",
};
const vote = (side: string, severity: string) => {
  system.answers[`technical/severity-${side}`] = () => ({ severity, because: "It is." });
};

describe("technical", () => {
  test("asks three times with different instructions, then drafts steps in the customer's language", async () => {
    const { path, result } = await system.run(issue, { to: "technical" });
    const votes = system.asked.filter(({ step }) => step.startsWith("severity-"));
    expect(votes).toHaveLength(3);
    expect(new Set(votes.map(({ instructions }) => instructions)).size).toBe(3);
    expect(path).toEqual(["technical", "reply"]);
    const body = expect.stringContaining("neueste Version");
    expect(result).toMatchObject({ outcome: "steps", language: "de", body });
  });

  test("goes by the majority", async () => {
    vote("impact", "critical");
    vote("urgency", "critical");
    vote("workaround", "low");
    const { result } = await system.run(issue, { to: "technical" });
    expect(result).toMatchObject({ status: "escalated", cause: "critical_incident" });
  });
});

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
