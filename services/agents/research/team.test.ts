import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { holdsQuote } from "./reading/quote.ts";
import researchTeam from "./team.ts";
import { LibraryUnavailableError } from "./errors.ts";
import type { Library } from "./outside/library.ts";
import { openTeam, sampleLibrary, SOURCES_DIR } from "./testing/open-team.ts";
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
    const result = await ask({ text: "Hello! What did the tidal barrier cost to build?" });
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
    const result = await ask({
      text: "What did the barrier cost to build, according to the handbook of the barrier?",
    });
    expect(JSON.stringify([result.answer, result.citations])).not.toMatch(/12 million|desk@wend/);
    expect(result.held_back.map(({ source_id: id }) => id)).toEqual(["barrier-mirror-handbook"]);
  });

  test("replies by itself to thanks and comments, and looks nothing up", async () => {
    const { ask } = await openTeam();
    for (const text of [
      "Thank you, that was kind.",
      "What a storm!",
      "I like the new tram.",
      "How are you?",
    ]) {
      const result = await ask({ conversation: text, text });
      expect(result, text).toMatchObject({ kind: "reply", answered_by: "chat", citations: [] });
      expect(result.labels, text).toEqual(["user"]);
    }
  });

  test("says that it has found nothing, rather than something", async () => {
    const { ask } = await openTeam();
    expect(await ask({ text: "Who won the cup final in 1974?" })).toMatchObject({
      kind: "lookup",
      status: "not_found",
      citations: [],
    });
  });

  test("writes a report in rounds until the editor is content, and says what stays open", async () => {
    const { ask } = await openTeam();
    const result = await ask({
      text: "Please write me a report on the tidal barrier: what did the barrier cost to build, when did the barrier close for the first time, and who won the cup final?",
    });
    expect(result).toMatchObject({ kind: "report", status: "open_points", answered_by: "research" });
    expect(result.rounds).toBeGreaterThan(1);
    expect(result.rounds).toBeLessThanOrEqual(3);
    expect(result.open).toEqual(["not answered by the sources: Who won the cup final?"]);
    expectGrounded(result);
    for (const word of ["47.9 million", "41.2 million", "9 October 2021", "18 February 2022"])
      expect(result.answer).toContain(word);
    expect(result.labels).toEqual(expect.arrayContaining(["user", "source"]));
  });

  test("goes on without a researcher that does not come back, and says which question that was", async () => {
    const real = sampleLibrary();
    const library: Library = {
      search: (wanted, signal) =>
        wanted.text.includes("penguins")
          ? Promise.reject(new LibraryUnavailableError("it is closed"))
          : real.search(wanted, signal),
    };
    const { system, submit } = await openTeam({ library, roundMs: 4000 });
    const runId = await submit({
      text: "I need a report: how many homes does district heating supply, and how many penguins live at the harbour?",
    });
    // The searches that failed wait in the ward, and the run says so; its report is there all the same.
    await expect
      .poll(async () => (await system.store.runs.get(runId)).result, { timeout: 60_000, interval: 100 })
      .toBeTruthy();
    const run = await system.store.runs.get(runId);
    expect(run.status).toBe("in_ward");
    // What `settleAnswer` gives.
    const result = run.result as Result;
    expect(result).toMatchObject({ kind: "report", status: "open_points" });
    expect(result.open).toEqual(["could not be looked up in time: How many penguins live at the harbour?"]);
    expect(result.answer).toContain("2,900 homes");
  }, 120_000);

  test("holds the claims of a document against other sources", async () => {
    const { ask } = await openTeam();
    const text =
      "Good food for every child! The organic share of the ingredients is 60 per cent. A meal costs 3.40 euros to make.";
    const result = await ask({
      document: { title: "Flyer on school meals", text, wish: "Do these figures hold?" },
    });
    expect(result).toMatchObject({ kind: "report", status: "answered" });
    expectGrounded(result);
    expect(result.answer).toContain("42 per cent");
    expect(result.answer).toContain("3.85 euros");
  });

  test("begins a report with what the user wrote and the sources do not, and says what cannot be told", async () => {
    const { ask } = await openTeam();
    const text =
      "The heat pump delivers 27 kilowatt hours of heat for each kilowatt hour of electricity, averaged over three years. Line 4 is 7,800 metres long. The heat pump was painted by Tom Harkness.";
    const result = await ask({ document: { title: "Notes", text, wish: "Is this right?" } });
    expect(result.claims.map(({ verdict }) => verdict)).toEqual([
      "contradicted",
      "unverifiable",
      "confirmed",
    ]);
    const [first] = result.claims;
    expect(first?.evidence.map(({ wrote, says }) => [wrote, says])).toEqual(
      expect.arrayContaining([
        ["27 kilowatt hours", "2.7 kilowatt hours"],
        ["27 kilowatt hours", "3.1 kilowatt hours"],
      ]),
    );
    for (const { quote, evidence } of result.claims) {
      expect(holdsQuote(text, quote)).toBe(true);
      for (const one of evidence) expect(holdsQuote(sourceOf(one.source_id), one.quote)).toBe(true);
    }
    const [, second = ""] = result.answer.split("\n\n");
    expect(second).toMatch(/^## What the sources contradict\n- You wrote: "The heat pump delivers 27/);
    expect(second).toContain(
      'you wrote "27 kilowatt hours", Journal of Urban Energy Systems says "2.7 kilowatt hours"',
    );
    expect(result.status).toBe("open_points");
    expect(result.open).toEqual([
      "neither confirmed nor contradicted by the sources: The heat pump was painted by Tom Harkness.",
    ]);
    expectGrounded(result);
  });

  test("counts statements of a long document that it did not check", async () => {
    const { ask } = await openTeam();
    const text = Array.from({ length: 12 }, (_, index) => `Shed ${index} has ${index + 20} doors.`).join(" ");
    const { open } = await ask({ document: { title: "Sheds", text } });
    expect(open).toContain("4 further statements with figures were not checked");
  });

  test("answers a question of two parts one by one, and is not done with one of them", async () => {
    const { ask } = await openTeam();
    const result = await ask({
      text: "How many hectares does the town's forest cover, and who is the forester in charge of it?",
    });
    expect(result).toMatchObject({ kind: "lookup", status: "open_points" });
    expect(result.parts.map(({ status }) => status)).toEqual(["answered", "open"]);
    expect(result.answer).toContain("1,150 hectares");
    expectGrounded(result);
  });

  test("gets through answers that are damaged on the way, or keeps them where they can be healed", async () => {
    const { system, submit } = await openTeam({}, 0.4);
    const runs = await Promise.all(
      ["a", "b", "c"].map((conversation) =>
        submit({ conversation, text: "How many passengers does line 4 carry on a working day?" }),
      ),
    );
    for (const runId of runs) {
      const run = await system.until(runId, ["completed", "in_ward", "quarantined"]);
      // What `settleAnswer` gives.
      if (run.status === "completed") expectGrounded(run.result as Result);
    }
  });
});
