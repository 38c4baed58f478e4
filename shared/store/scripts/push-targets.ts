import { Script } from "../script.ts";
import { flag, listOf, text } from "../script-reply.ts";

/** `before` is empty, or the text that it takes the place of. Reply: false if nothing was written. */
export const setPushTarget = new Script("set-push-target.lua", {
  keys: ["run"],
  args: { field: "text", prefix: "text", target: "text", before: "text", targetsMax: "number" },
  reply: flag,
});

/** Reply: ids of the runs that are due, which are due again after the lease. */
export const takeDuePushes = new Script("take-due-pushes.lua", {
  keys: ["due"],
  args: { nowMs: "number", leaseMs: "number", limit: "number" },
  reply: listOf(text),
});

/** The run is due again at `dueMs`, or no more where that is negative; nothing happens where its lease has ended. */
export const settlePush = new Script("settle-push.lua", {
  keys: ["due"],
  args: { runId: "text", leasedMs: "number", dueMs: "number" },
  reply: flag,
});
