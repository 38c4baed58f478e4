import { z } from "zod";
import { contract } from "#shared/contract";
import { controlShell } from "#shared/patterns";
import type { Turn } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { Context } from "#shared/runtime";

/** A control shell that lets two write in turn on one entry of a board, four times in all. */

const Task = contract("wall.task@1", z.object({ first: z.string() }));
const Lines = contract("wall.lines@1", z.object({ lines: z.array(z.string()) }));

export const TURNS = 4;

const shell = controlShell("wall", {
  accepts: Task,
  entry: Lines,
  writers: ["wall-left", "wall-right"],
  begin: ({ first }, board) => board.update("begin", "log", () => ({ lines: [first] })),
  choose: ({ entries }, { turn }) => {
    if (turn > TURNS) return { finish: entries.get("log")?.value };
    return { writer: turn % 2 === 1 ? "wall-left" : "wall-right" };
  },
});

function writer<Name extends string>(name: Name) {
  return agent(`${name}@1`, {
    accepts: shell.turn,
    to: { "wall-shell": shell.turn },
    handle: async (turn: Turn, ctx: Context<{ "wall-shell": typeof shell.turn }>) => {
      await shell
        .board(ctx)
        .update("write", "log", (now) => ({ lines: [...(now?.lines ?? []), `${turn.turn} ${name}`] }));
      return ctx.handoff("wall-shell", turn);
    },
  });
}

export default team("wall", [...shell.agents, writer("wall-left"), writer("wall-right")], {
  loops: shell.loops,
  hopsMax: shell.hopsMax,
});
