import { Script } from "../script.ts";
import { flag, number, orNull } from "../script-reply.ts";

/** Reply: what the run has made before these, where they would be too many; else null. */
export const reserveHandoffs = new Script("reserve-handoffs.lua", {
  keys: ["run", "messages"],
  args: { messageId: "text", handoffs: "number", handoffsMax: "number" },
  reply: orNull(number),
});

/** Reply: whether it was this one, or nobody keeps the run's record. */
export const markLimited = new Script("mark-limited.lua", {
  keys: ["run"],
  args: { messageId: "text" },
  reply: flag,
});

/** Reply: false where somebody else took the step, or the run is gone. */
export const advanceStepMark = new Script("advance-step-mark.lua", {
  keys: ["run"],
  // Steps taken, as read.
  args: { seen: "number" },
  reply: flag,
});
