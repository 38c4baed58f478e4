import { Script } from "../script.ts";
import { flag, number, orNull } from "../script-reply.ts";

/** Reply: handoffs made before, if these would exceed the limit; else null. */
export const reserveHandoffs = new Script("reserve-handoffs.lua", {
  keys: ["run", "messages"],
  args: { messageId: "text", handoffs: "number", handoffsMax: "number" },
  reply: orNull(number),
});

/** Reply: true if it was this message, or the run has no record. */
export const markLimited = new Script("mark-limited.lua", {
  keys: ["run"],
  args: { messageId: "text" },
  reply: flag,
});

/** Reply: false if another client took the step, or the run is gone. */
export const advanceStepMark = new Script("advance-step-mark.lua", {
  keys: ["run"],
  // Position that was read.
  args: { seen: "number" },
  reply: flag,
});
