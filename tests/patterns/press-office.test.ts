import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pressOffice } from "./press-office.ts";
import { openModelSystem } from "../support/open-model-system.ts";

/** The team of docs/guides/patterns.md: a router, a fan-out and a cycle, at work on a real Redis. */

async function openPress() {
  const { system, endpoint } = await openModelSystem(pressOffice);
  return { system, endpoint };
}

describe("a team with a router, a fan-out and a cycle", () => {
  const source = readFileSync("tests/patterns/press-office.ts", "utf8");
  const own = source.slice(source.indexOf("// --- the team"));

  it("is written in under 60 lines, contracts apart, and stands in the guides as it is", () => {
    expect(own.trimEnd().split("\n").length).toBeLessThan(60);
    const shown = own.slice(own.indexOf("\n") + 1).trimEnd();
    for (const page of ["docs/guides/write-an-agent.md", "docs/guides/patterns.md"])
      expect(readFileSync(page, "utf8"), page).toContain(shown);
  });

  it("routes, fans out, joins and goes round until it is content", async () => {
    const { system, endpoint } = await openPress();
    const { runId } = await system.submit({ text: "Write about sutures" });
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { round: 2 } });
    const { result } = await system.store.runs.get(runId);
    const paragraphs: unknown[] = Reflect.get(Object(result), "paragraphs");
    expect(paragraphs.length).toBeGreaterThanOrEqual(2);
    expect(paragraphs).toContain("The past of sutures..");
    expect(endpoint.seen.map(({ body }) => body.model)).toEqual(["small"]);
  });

  it("fails loudly over what is of no category", async () => {
    const { system } = await openPress();
    const { runId } = await system.submit({ text: "What is the weather?" });
    await system.until(runId, ["in_ward", "quarantined"]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(events.at(-1)?.detail).toMatchObject({ code: "ROUTE_UNKNOWN", class: "content_error" });
  });

  it("hands its solver what the router took out, held against the solver's own contract", async () => {
    const { system, endpoint } = await openPress();
    endpoint.behave = () =>
      JSON.stringify({
        decision: { category: "correction", parameters: { wrong: "1998", right: "1989" } },
      });
    const { runId } = await system.submit({ text: "It was 1989, not 1998." });
    expect((await system.until(runId)).result).toEqual({ wrong: "1998", right: "1989" });
  });

  it("never lets parameters pass that the solver's contract refuses, and never another category", async () => {
    const { system, endpoint } = await openPress();
    const answers = [
      { decision: { category: "correction", parameters: { wrong: 7 } } },
      { decision: { category: "gossip", parameters: {} } },
    ];
    for (const answer of answers) {
      endpoint.behave = () => JSON.stringify(answer);
      const { runId } = await system.submit({ text: "It was 1989." });
      await system.until(runId, ["in_ward", "quarantined"]);
      const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
      expect(events.at(-1)?.detail).toMatchObject({ code: "MODEL_ANSWER_UNUSABLE" });
    }
  });
});
