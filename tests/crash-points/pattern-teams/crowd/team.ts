import { z } from "zod";
import { contract } from "#shared/contract";
import { blackboard, fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { Context } from "#shared/runtime";

/** Many who write on one entry of a board at the same time, and one who reads it when they are through. */

const Crowd = contract("crowd.crowd@1", z.object({ writers: z.int() }));
const Writer = contract("crowd.writer@1", z.object({ n: z.int() }));
const Log = contract("crowd.log@1", z.object({ written: z.array(z.int()) }));

const boardOf = (ctx: Pick<Context, "board">) => blackboard(ctx, { name: "crowd", entry: Log });

export default team("crowd", [
  agent("crowd@1", {
    accepts: Crowd,
    to: { "crowd-write": Writer, "crowd-read": Crowd },
    handle: ({ writers }, ctx) =>
      fanOut({
        branches: Array.from({ length: writers }, (_, n) => ctx.handoff("crowd-write", { n })),
        join: ctx.handoff("crowd-read", { writers }),
      }),
  }),
  agent("crowd-write@1", {
    accepts: Writer,
    to: { "crowd-read": Writer },
    concurrency: 20,
    handle: async ({ n }, ctx) => {
      await boardOf(ctx).update("write", "log", (now) => ({ written: [...(now?.written ?? []), n] }));
      return ctx.handoff("crowd-read", { n });
    },
  }),
  join("crowd-read@1", {
    accepts: Crowd,
    collects: Writer,
    handle: async (_crowd, _branches, ctx) =>
      ctx.complete((await boardOf(ctx).read()).entries.get("log")?.value ?? null),
  }),
]);
