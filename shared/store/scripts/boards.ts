import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { number, oneOf, variants } from "../script-reply.ts";

export const writeBoard = new Script("write-board.lua", {
  // `writes`: ids of the writes made.
  keys: ["entries", "writes"],
  // `expectedVersion`: 0: no entry yet; null: any. `restOfEntry`: the entry's JSON text after its version.
  args: kindsOf(
    "entry expectedVersion:number? writeId restOfEntry bytesMax:number entriesMax:number",
    "writesMax:number lifeMs:number channel",
  ),
  reply: variants({
    written: { version: number },
    conflict: { version: number },
    full: { of: oneOf(["bytes", "entries", "writes"]) },
  }),
});
