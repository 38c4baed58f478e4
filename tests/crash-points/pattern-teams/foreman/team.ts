import { z } from "zod";
import { contract } from "#shared/contract";
import { supervisor } from "#shared/patterns";
import { agent, team } from "#shared/runtime";

/** A supervisor over two workers, one of which fails: another is asked in its place, then comes a second round. */

const Goal = contract("foreman.goal@1", z.object({ walls: z.int() }));
const Wall = contract("foreman.wall@1", z.object({ wall: z.int() }));
const Built = contract("foreman.built@1", z.object({ wall: z.int(), by: z.string() }));
const Plan = contract("foreman.plan@1", z.object({ walls: z.array(z.int()) }));

/** One for each plan: at the beginning, after the walls that were built, and after the roof. */
export const CALLS = 3;

const foreman = supervisor("foreman", {
  accepts: Goal,
  collects: Built,
  workers: { "foreman-drunk": Wall, "foreman-sober": Wall },
  answers: [Plan],
  standIns: {
    plan: (input) => {
      const { walls, built } = z.object({ walls: z.int(), built: z.array(z.int()) }).parse(input);
      const all = Array.from({ length: walls + 1 }, (_, wall) => wall);
      // The roof, which has the last number, comes when the walls stand.
      if (built.length < walls) return { walls: all.slice(0, walls) };
      return { walls: built.length === walls ? [walls] : [] };
    },
  },
  decide: async ({ goal, done, round }, ctx) => {
    const standing = done.flatMap(({ result }) => (result === null ? [] : [result]));
    const { walls } = await ctx.model(`plan-${round}`, {
      instructions: "Plan what is to be built next.",
      input: { walls: goal.walls, built: standing.map(({ wall }) => wall) },
      answers: Plan,
    });
    if (walls.length === 0) return { finish: { built: standing } };
    return {
      delegate: walls.map((wall) => ({
        worker: wall === 0 ? "foreman-drunk" : "foreman-sober",
        payload: { wall },
        others: ["foreman-sober"],
      })),
    };
  },
});

const back = { "foreman-review": Built };

export default team(
  "foreman",
  [
    ...foreman.agents,
    agent("foreman-drunk@1", { accepts: Wall, to: back, handle: (_wall, ctx) => ctx.complete(null) }),
    agent("foreman-sober@1", {
      accepts: Wall,
      to: back,
      handle: ({ wall }, ctx) => ctx.handoff("foreman-review", { wall, by: "sober" }),
    }),
  ],
  { loops: foreman.loops },
);
