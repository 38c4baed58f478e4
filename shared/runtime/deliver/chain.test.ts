import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

const Note = contract("note@1", z.object({ text: z.string() }));
const Facts = contract("facts@1", z.object({ facts: z.array(z.string()) }));
const Report = contract("report@1", z.object({ count: z.number() }));

const extract = agent("extract@1", {
  accepts: Note,
  to: { analyse: Facts },
  handle: (note, ctx) => ctx.handoff("analyse", { facts: note.text.split(". ") }),
});
const analyse = agent("analyse@1", {
  accepts: Facts,
  to: { write: Report },
  handle: (input, ctx) => ctx.handoff("write", { count: input.facts.length }),
});
const write = agent("write@1", {
  accepts: Report,
  handle: (input, ctx) => ctx.complete({ says: `${input.count} facts` }),
});
const chain = team("chain", [extract, analyse, write]);

describe("a chain of three agents", () => {
  it("carries a task from the first agent to a result, and counts it", async () => {
    const system = createTestSystem(chain);
    await system.start();
    const { runId } = await system.submit({ text: "one. two. three" });
    const run = await system.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { says: "3 facts" }, messages: { open: 0 } });
    const counts = await system.store.runs.counts();
    expect(counts).toMatchObject({ submitted: 1, completed: 1, queued: 0, running: 0 });
    const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.filter((event) => event.type === "handed_off").map((event) => event.agent)).toEqual([
      "extract",
      "analyse",
    ]);
  });

  it("carries 200 tasks at once, each to its own result", async () => {
    const system = createTestSystem(chain);
    await system.start();
    const submitted = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        system.submit({
          text: Array(i + 1)
            .fill("x")
            .join(". "),
        }),
      ),
    );
    const runs = await Promise.all(submitted.map(({ runId }) => system.until(runId)));
    expect(runs.map((run) => run.result)).toEqual(submitted.map((_, i) => ({ says: `${i + 1} facts` })));
    expect(await system.store.runs.counts()).toMatchObject({ submitted: 200, completed: 200 });
  });
});
