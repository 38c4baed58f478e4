import { Script } from "../script.ts";
import { flag, nothing } from "../script-reply.ts";

/** Reply: whether it was appended. */
export const appendRecord = new Script("append-record.lua", {
  // `records`: oldest first. `headKey`: what is said of the last record and of how many there are.
  keys: ["records", "headKey"],
  args: { seenHead: "text?", record: "text", nextHead: "text", recordsMax: "number" },
  reply: flag,
});

export const replaceOrder = new Script("replace-order.lua", {
  keys: ["orders"],
  // `seen`: the order that was read.
  args: { about: "text", seen: "text?", order: "text" },
  reply: nothing,
});

export const raiseMark = new Script("raise-mark.lua", {
  keys: ["mark"],
  // Without a life, for ever.
  args: { to: "number", lifeMs: "number?" },
  reply: nothing,
});
