import { Script } from "../script.ts";
import { flag } from "../script-reply.ts";

/** Reply: true if it was appended. */
export const appendRecord = new Script("append-record.lua", {
  // `records`: oldest first. `headKey`: digest and count as of the last record.
  keys: ["records", "headKey"],
  args: { seenHead: "text?", record: "text", nextHead: "text", recordsMax: "number" },
  reply: flag,
});
