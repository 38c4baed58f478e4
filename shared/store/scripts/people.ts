import { Script } from "../script.ts";
import { flag, nothing } from "../script-reply.ts";

/** Reply: true if it was appended. */
export const appendRecord = new Script("append-record.lua", {
  // `records`: oldest first. `headKey`: digest and count as of the last record.
  keys: ["records", "headKey"],
  args: { seenHead: "text?", record: "text", nextHead: "text", recordsMax: "number" },
  reply: flag,
});

export const raiseMark = new Script("raise-mark.lua", {
  keys: ["mark"],
  // Without `lifeMs` it does not expire.
  args: { to: "number", lifeMs: "number?" },
  reply: nothing,
});
