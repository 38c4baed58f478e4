import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import researchTeam from "./team.ts";
import { holdsQuote } from "./text.ts";
import { LibraryUnavailableError } from "./outside/library.ts";
import type { Library } from "./outside/library.ts";
import { openTeam, sampleLibrary, sampleOf, SOURCES_DIR } from "./testing/open-team.ts";
import type { Result } from "./testing/open-team.ts";

const sourceOf = (id: string): string => readFileSync(join(SOURCES_DIR, `${id}.txt`), "utf8");

/** Every citation is a quotation, and every marker in the text leads to one. */
function expectGrounded({ answer, citations }: Result): void {
  for (const { source_id: id, quote } of citations) expect(holdsQuote(sourceOf(id), quote), quote).toBe(true);
  const markers = new Set([...answer.matchAll(/\[(\d+)\]/g)].map(([, marker]) => marker));
  expect(markers).toEqual(new Set(citations.map(({ marker }) => marker)));
}

describe("the research team", () => {
  test("loads without configuration, and sends the handoffs of its matrix", () => {
    expect(researchTeam.entry.name).toBe("front-desk");
    const types = researchTeam.edges
      .filter(({ types: declared }) => !declared.includes("task_delegation"))
      .map((edge) => `${edge.from}>${edge.to} ${edge.types.join()}`);
    expect(types).toEqual([
      "front-desk>chat message",
      "front-desk>reference document",
      "front-desk>research continued_conversation",
      "chat>research quick_lookup",
      "reference>research research_delegation",
      "research>investigation investigation",
    ]);
  });

  test("answers a lookup in chat's place, with both sides of what the sources disagree on", async () => {
    const { ask } = await openTeam();
    const result = await ask(sampleOf("barrier-cost"));
    expect(result).toMatchObject({ kind: "lookup", status: "answered", answered_by: "research", turn: 1 });
    expectGrounded(result);
    const cited = result.citations.map(({ source_id: id }) => id);
    expect(cited).toEqual(expect.arrayContaining(["barrier-audit", "barrier-council-report"]));
    expect(result.answer).toContain("47.9 million");
    expect(result.answer).toContain("41.2 million");
    expect(result.labels).toEqual(expect.arrayContaining(["user", "source"]));
  });

  test("takes nothing from a source that gives orders to machines, and says that it was held back", async () => {
    const { ask } = await openTeam();
    const result = await ask(sampleOf("barrier-cost"));
    expect(JSON.stringify([result.answer, result.citations])).not.toMatch(/12 million|desk@wend/);
    expect(result.held_back.map(({ source_id: id }) => id)).toEqual(["barrier-mirror-handbook"]);
  });

  test("replies by itself to thanks and comments, and looks nothing up", async () => {
    const { ask } = await openTeam();
    for (const text of [sampleOf("thanks").text, "What a storm!"]) {
      const result = await ask({ conversation: text, text });
      expect(result, text).toMatchObject({ kind: "reply", answered_by: "chat", citations: [] });
      expect(result.labels, text).toEqual(["user"]);
    }
  });

  test("says that no model is set where it has no recorded answer", async () => {
    const { ask } = await openTeam();
    expect((await ask({ text: "Who won the cup final in 1974?" })).answer).toMatch(/^No model is set: /);
    const document = { title: "Sheds", text: "Shed 1 has 20 doors." };
    const { answer, status } = await ask({ conversation: "two", document });
    expect([answer, status]).toEqual([expect.stringMatching(/^# No model is set: /), "not_found"]);
  });

  test("gives nothing away to orders in a message, and answers the question beside them", async () => {
    const { ask } = await openTeam();
    const { answer, labels } = await ask(sampleOf("orders-to-machines"));
    expect(answer).toContain("750 lead service pipes");
    expect(labels).toContain("injection_suspected");
  });

  test("writes a report in rounds until the editor is content, and says what stays open", async () => {
    const { ask } = await openTeam();
    const result = await ask(sampleOf("heating-report"));
    expect(result).toMatchObject({ kind: "report", status: "open_points", answered_by: "research" });
    expect(result.rounds).toBeGreaterThan(1);
    expect(result.rounds).toBeLessThanOrEqual(3);
    expect(result.open).toEqual(["not answered by the sources: Who won the cup final?"]);
    expectGrounded(result);
    for (const word of ["3,400", "2,900", "8,100", "9,800", "11.4 cents"])
      expect(result.answer).toContain(word);
    expect(result.labels).toEqual(expect.arrayContaining(["user", "source"]));
  });

  test("goes on without a researcher that does not come back, and says which question that was", async () => {
    const real = sampleLibrary();
    const library: Library = {
      search: (wanted, signal) =>
        wanted.text.includes("cup final")
          ? Promise.reject(new LibraryUnavailableError("it is closed"))
          : real.search(wanted, signal),
    };
    const { system, submit } = await openTeam({ library, roundMs: 4000 });
    const runId = await submit(sampleOf("heating-report"));
    // The searches that failed wait in the ward, and the run says so; its report is there all the same.
    await expect
      .poll(async () => (await system.store.runs.get(runId)).result, { interval: 100 })
      .toBeTruthy();
    const run = await system.store.runs.get(runId);
    expect(run.status).toBe("in_ward");
    // The result of `settleAnswer`.
    const result = run.result as Result;
    expect(result).toMatchObject({ kind: "report", status: "open_points" });
    expect(result.open).toEqual(["could not be looked up in time: Who won the cup final?"]);
    expect(result.answer).toContain("2,900");
  });

  test("holds the claims of a document against other sources", async () => {
    const { ask } = await openTeam();
    const result = await ask({ document: sampleOf("meals-flyer") });
    expect(result).toMatchObject({ kind: "report", status: "answered" });
    expectGrounded(result);
    expect(result.claims.map(({ verdict }) => verdict)).toEqual(["disputed", "disputed", "confirmed"]);
    const [, second = ""] = result.answer.split("\n\n");
    expect(second).toMatch(
      /^## What the sources disagree on, as a model reads them\n- You wrote: "The organic/,
    );
    expect(second).toContain('Ostermoor School Office says otherwise: "A meal costs 3.85 euros to make."');
  });
});
