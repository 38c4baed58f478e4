import { beforeEach, describe, expect, test } from "vitest";
import fc from "fast-check";
import { handoffOf, openSupport } from "../testing/open-support.ts";
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
const vote = (side: string, severity: string) =>
  system.runtime.answers.set(`technical/severity-${side}`, { severity, because: "It is." });

describe("technical", () => {
  test("asks three times with different instructions, then drafts steps in the customer's language", async () => {
    const { to, payload } = handoffOf(await system.runtime.deliver("technical", issue));
    const votes = system.runtime.asked.filter(({ step }) => step.startsWith("severity-"));
    expect(votes).toHaveLength(3);
    expect(new Set(votes.map(({ instructions }) => instructions)).size).toBe(3);
    expect(to).toBe("reply");
    expect(payload).toMatchObject({ outcome: "steps", language: "de" });
    expect(JSON.stringify(payload)).toContain("neueste Version");
  });

  test("goes by the majority", async () => {
    vote("impact", "critical");
    vote("urgency", "critical");
    vote("workaround", "low");
    const { to, payload } = handoffOf(await system.runtime.deliver("technical", issue));
    expect(to).toBe("escalation");
    expect(payload).toMatchObject({ cause: "critical_incident" });
  });

  test("pays no vote twice when the message is delivered again", async () => {
    const message_id = "0199aaaa-0000-7000-8000-000000000003";
    await system.runtime.deliver("technical", issue, { message_id });
    await system.runtime.deliver("technical", issue, { message_id });
    expect(system.runtime.asked).toHaveLength(4);
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
