import { z } from "zod";
import { contract } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { agent, team } from "#shared/runtime";

const Load = contract(
  "yard.load@1",
  z.strictObject({
    id: z.string(),
    boxes: z.int().positive(),
    /** What is to happen on the way. */
    way: z.enum(["plain", "retry", "dead", "slow", "two", "reject"]),
  }),
);

/** Milliseconds after which an agent says that it works on a message. */
const SLOW_MS = 400;

const tried = new Set<string>();

/** Three agents in a row, and every way in which a message can go that needs no fan-out. */
export default team(
  "yard",
  [
    agent("dock@1", {
      outside: true,
      accepts: Load,
      to: { crane: Load, ledge: Load },
      handle: (load, ctx) => {
        if (load.way === "two") return both(ctx.handoff("crane", load), ctx.handoff("ledge", load));
        // A model that writes numbers as texts: first aid or the ward makes it a number.
        if (load.way === "dead") return ctx.handoff("crane", { ...load, boxes: ["three"] as never });
        return ctx.handoff("crane", load);
      },
    }),
    agent("crane@1", {
      outside: true,
      accepts: Load,
      to: { ledge: Load },
      handle: async (load, ctx) => {
        if (load.way === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        if (load.way === "reject") return ctx.reject("not today");
        await ctx.step("look", () => load.boxes);
        if (load.way === "retry" && !tried.has(load.id)) {
          tried.add(load.id);
          throw new SutureError({
            code: "CRANE_STUCK",
            failureClass: "transient",
            message: "The crane is stuck.",
            remedy: "Try again.",
          });
        }
        await ctx.once(`lift:${load.id}`, () => Promise.resolve("lifted"));
        return ctx.handoff("ledge", load);
      },
    }),
    agent("ledge@1", {
      outside: true,
      accepts: Load,
      handle: (load, ctx) => ctx.complete({ boxes: load.boxes }),
    }),
  ],
  { handoffsMax: 50 },
);

type Outcome = ReturnType<Parameters<typeof agent>[1]["handle"]> extends infer One ? Awaited<One> : never;

function both(...outcomes: Outcome[]): Outcome {
  const handoffs = outcomes.flatMap((one) => (one.kind === "handed_off" ? one.handoffs : []));
  return { kind: "handed_off", handoffs };
}
