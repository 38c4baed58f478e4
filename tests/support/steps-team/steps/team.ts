import { z } from "zod";
import { loadConfig } from "#shared/config";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

export const STEPS = 4;

const Work = contract("steps.work@1", z.strictObject({ name: z.string() }));

/** One agent that does its work in steps, each of them told to the outside, and so is every moment between two. */
export default team("steps", [
  agent("stepper@1", {
    accepts: Work,
    handle: async ({ name }, ctx) => {
      const outside = async (path: string): Promise<string> => {
        const { sandboxUrl } = loadConfig();
        return (await fetch(`${sandboxUrl}/${path}`, { method: "POST", signal: ctx.signal })).text();
      };
      const done: string[] = [];
      for (let step = 1; step <= STEPS; step += 1) {
        done.push(await ctx.step(`step-${step}`, () => outside(`step/${name}/${step}`)));
        await outside(`after/${name}/${step}`);
      }
      return ctx.complete(done);
    },
  }),
]);
