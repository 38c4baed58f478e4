import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Sack = contract("mill.sack@1", z.strictObject({ kilos: z.number() }));

/** One agent whose circuit does more than alert people. */
export default team(
  "mill",
  [agent("grinder@1", { accepts: Sack, handle: (sack, ctx) => ctx.complete(sack) })],
  { circuits: { grinder: { reaction: { kind: "pause" } } } },
);
