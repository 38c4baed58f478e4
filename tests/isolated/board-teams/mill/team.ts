import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Sack = contract("mill.sack@1", z.strictObject({ kilos: z.number() }));

/** One agent that opens a board. */
export default team("mill", [
  agent("grinder@1", { accepts: Sack, boards: ["sacks"], handle: (sack, ctx) => ctx.complete(sack) }),
]);
