import { Script } from "../script.ts";
import { flag } from "../script-reply.ts";

/** Reply: false if the field was changed since it was read. */
export const replaceField = new Script("replace-field.lua", {
  keys: ["hash"],
  // `seen`: the text that was read; null: there was none.
  args: { field: "text", seen: "text?", value: "text" },
  reply: flag,
});
