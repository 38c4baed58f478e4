import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

export const Work = contract("able.work@1", z.object({ n: z.number() }));

export const WELDERS = ["welder-a", "welder-b", "welder-c"];

/** Work that was begun in this process, each with its welder, in order. */
export const begun: { readonly by: string; readonly n: number }[] = [];

export const refusing = new Set<string>();

const desk = agent("able-desk@1", {
  accepts: Work,
  toCapable: { welding: Work },
  handle: (work, ctx) => ctx.handoff({ capability: "welding" }, work),
});

const welders = WELDERS.map((name) =>
  agent(`${name}@1`, {
    accepts: Work,
    capabilities: ["welding"],
    handle: ({ n }, ctx) => {
      begun.push({ by: name, n });
      return refusing.has(name) ? ctx.reject("no gas") : ctx.complete({ by: name, n });
    },
  }),
);

/** A desk that hands on by capability, and three agents that have it. */
export default team("able", [desk, ...welders]);
