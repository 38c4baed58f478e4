import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Work = contract("recovery.work@1", z.object({ n: z.int() }));

/** Handlers that wait to be told that their work is over. */
const holding = new Map<number, () => void>();

process.on("message", (n) => {
  if (typeof n === "number") holding.get(n)?.();
});

/** Says to the parent process what it has taken, and holds it until it is told to end. */
export const holder = agent("holder@1", {
  accepts: Work,
  handle: async ({ n }, ctx) => {
    await new Promise<void>((resolve) => {
      holding.set(n, resolve);
      process.send?.({ took: n });
    });
    holding.delete(n);
    return ctx.complete({ n });
  },
});

export default team("recovery", [holder]);
