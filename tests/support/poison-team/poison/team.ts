import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Dose = contract("poison.dose@1", z.object({ kills: z.boolean() }));

/** An agent whose process dies on some of its messages: a native crash, an out-of-memory kill. */
export const taster = agent("taster@1", {
  accepts: Dose,
  handle: (dose, ctx) => {
    if (dose.kills) process.kill(process.pid, "SIGKILL");
    return ctx.complete("survived");
  },
});

export default team("poison", [taster]);
