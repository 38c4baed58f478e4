import { Script } from "../script.ts";
import { number, oneOf, variants } from "../script-reply.ts";

export const writeBoard = new Script("write-board.lua", {
  // `writes`: those that were made, by their ids.
  keys: ["entries", "writes"],
  args: {
    entry: "text",
    // 0: there must be none. Null: any.
    expectedVersion: "number?",
    writeId: "text",
    // The entry's JSON text behind its version, which only the script knows.
    restOfEntry: "text",
    bytesMax: "number",
    entriesMax: "number",
    writesMax: "number",
    lifeMs: "number",
    channel: "text",
  },
  reply: variants({
    written: { version: number },
    conflict: { version: number },
    full: { of: oneOf(["bytes", "entries", "writes"]) },
  }),
});
