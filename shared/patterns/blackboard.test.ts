import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { createTestSystem, startTestSystem, testRedis } from "#shared/testing";
import { blackboard, controlShell } from "./blackboard.ts";
import type { ControlShellOptions } from "./blackboard.ts";
import { fanOut, join } from "./fan-out.ts";

const Task = contract("task@1", z.object({ topic: z.string() }));
const Note = contract("note@1", z.object({ lines: z.array(z.string()) }));

/** A handler of the test's own at a board. */
function openScribe(handle: (ctx: Context, deliveries: number) => Promise<HandlerOutcome>) {
  let deliveries = 0;
  const scribe = agent("scribe@1", { accepts: Task, handle: (_task, ctx) => handle(ctx, (deliveries += 1)) });
  return createTestSystem(team("scribes", [scribe]));
}

const boardOf = (ctx: Context) => blackboard(ctx, { name: "notes", entry: Note });

describe("a blackboard", () => {
  it("loses no write of twenty who change the same entry at the same time, and wakes who watches", async () => {
    const Line = contract("line@1", z.object({ n: z.int() }));
    let woken = 0;
    const open = agent("open@1", {
      accepts: Task,
      to: { write: Line, watch: Line, end: Task },
      handle: (task, ctx) =>
        fanOut({
          branches: [
            ctx.handoff("watch", { n: 0 }),
            ...Array.from({ length: 20 }, (_, n) => ctx.handoff("write", { n })),
          ],
          join: ctx.handoff("end", task),
        }),
    });
    const write = agent("write@1", {
      accepts: Line,
      to: { end: Line },
      concurrency: 20,
      handle: async ({ n }, ctx) => {
        await boardOf(ctx).update("add", "all", (now) => ({ lines: [...(now?.lines ?? []), `line ${n}`] }));
        return ctx.handoff("end", { n });
      },
    });
    const watch = agent("watch@1", {
      accepts: Line,
      to: { end: Line },
      handle: async ({ n }, ctx) => {
        const board = boardOf(ctx);
        let view = await board.read();
        while ((view.entries.get("all")?.value.lines.length ?? 0) < 20) {
          view = await board.waitForChange(view, 20_000);
          woken += 1;
        }
        return ctx.handoff("end", { n });
      },
    });
    const end = join("end@1", {
      accepts: Task,
      collects: Line,
      handle: async (_task, _branches, ctx) => {
        const view = await boardOf(ctx).read();
        return ctx.complete({ version: view.version, lines: view.entries.get("all")?.value.lines });
      },
    });
    const system = await startTestSystem(team("scribes", [open, write, watch, end]));
    const run = await system.run({ topic: "x" });
    expect(run).toMatchObject({ status: "completed", result: { version: 20 } });
    const { lines } = z.object({ lines: z.array(z.string()) }).parse(run.result);
    expect(lines.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `line ${n}`).toSorted());
    expect(woken).toBeGreaterThan(0);
  });

  it("makes no write twice when its handler dies and comes again, whatever others wrote meanwhile", async () => {
    const system = openScribe(async (ctx, deliveries) => {
      const board = boardOf(ctx);
      const add = (step: string, line: string) =>
        board.update(step, "k", (now) => ({ lines: [...(now?.lines ?? []), line] }));
      await add("mine", "mine");
      if (deliveries === 1) {
        await add("another's", "another's");
        throw new Error("died");
      }
      return ctx.complete((await board.read()).entries.get("k")?.value.lines);
    });
    await system.start();
    expect((await system.run({ topic: "x" })).result).toEqual(["mine", "another's"]);
  });

  it("is bounded in bytes, entries and age, and says what is full", async () => {
    const codes: string[] = [];
    const system = openScribe(async (ctx) => {
      const attempt = async (bounds: object, key: string, lines: string[]): Promise<void> => {
        const board = blackboard(ctx, { name: "small", entry: Note, bounds: { lifeMs: 60_000, ...bounds } });
        await board
          .write(key, { key, value: { lines }, expects: 0 })
          .then(() => codes.push("written"))
          .catch((error: unknown) => codes.push(Reflect.get(Object(error), "paths")[0]));
      };
      await attempt({}, "a", ["a"]);
      await attempt({ entriesMax: 1 }, "b", ["b"]);
      await attempt({ bytesMax: 200 }, "c", ["c".repeat(150)]);
      await attempt({ writesMax: 1 }, "d", ["d"]);
      return ctx.complete(null);
    });
    await system.start();
    const { runId } = await system.submit({ topic: "x" });
    await system.until(runId);
    expect(codes).toEqual(["written", "/entries", "/bytes", "/writes"]);
    const redis = testRedis();
    const life = await redis.pttl(`${system.store.keys.board(`${runId}/small`)}/entries`);
    redis.disconnect();
    expect(life).toBeGreaterThan(0);
    expect(life).toBeLessThanOrEqual(60_000);
  });
});

describe("a control shell", () => {
  type Choose = ControlShellOptions<typeof Task, typeof Note>["choose"];

  function openReport(choose: Choose, turnsMax = 6) {
    const report = controlShell("report", {
      accepts: Task,
      entry: Note,
      writers: ["writer", "critic"],
      turnsMax,
      begin: async ({ topic }, board) => {
        await board.write("task", { key: "task", value: { lines: [topic] }, expects: 0 });
      },
      choose,
    });
    const writing = (name: "writer" | "critic") =>
      agent(`${name}@1`, {
        accepts: report.turn,
        to: { "report-shell": report.turn },
        handle: async (turn, ctx) => {
          await report
            .board(ctx)
            .update("say", "text", (now) => ({ lines: [...(now?.lines ?? []), `${name} ${turn.turn}`] }));
          return ctx.handoff("report-shell", turn);
        },
      });
    const members = [...report.agents, writing("writer"), writing("critic")];
    return createTestSystem(team("reports", members, { loops: report.loops }), {
      retry: { deliveriesMax: 1 },
    });
  }

  it("picks who writes next by what is on the board, until it is content", async () => {
    const system = openReport(({ entries }) => {
      const lines = entries.get("text")?.value.lines ?? [];
      if (lines.length === 5) return { finish: lines };
      return {
        writer: lines.at(-1)?.startsWith("writer") === true ? "critic" : "writer",
        because: "its turn",
      };
    });
    await system.start();
    expect((await system.run({ topic: "AI" }, { hopsMax: 13 })).result).toEqual([
      "writer 1",
      "critic 2",
      "writer 3",
      "critic 4",
      "writer 5",
    ]);
  });

  it.each([
    { what: "never finishes", choose: (() => ({ writer: "writer" })) as Choose },
    { what: "picks who may not write", choose: (() => ({ writer: "intruder" })) as Choose },
  ])("that $what is stopped", async ({ choose }) => {
    const system = openReport(choose, 2);
    await system.start();
    const { runId } = await system.submit({ topic: "AI" });
    await system.until(runId, ["in_ward", "quarantined"]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.findLast(({ detail }) => "code" in detail)?.detail["code"]).toBe("CONTROL_SHELL_INVALID");
  });
});
