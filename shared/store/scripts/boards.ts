import { Script } from "../script.ts";
import { number, oneOf, variants } from "../script-reply.ts";

export const writeBoard = new Script("write-board.lua", {
  // `writes`: ids of the writes made.
  keys: ["entries", "writes"],
  args: {
    entry: "text",
    // 0: the entry must not exist. Null: any version.
    expectedVersion: "number?",
    writeId: "text",
    // The entry's JSON text after its version, which only the script knows.
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
