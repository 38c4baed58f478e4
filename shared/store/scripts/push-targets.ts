import { Script } from "../script.ts";
import { flag, listOf, text } from "../script-reply.ts";

/** Reply: false if the run is gone, or has as many targets as it may. */
export const setPushTarget = new Script("set-push-target.lua", {
  keys: ["run"],
  args: { field: "text", prefix: "text", target: "text", targetsMax: "number" },
  reply: flag,
});

/** Reply: ids of the runs that are due, which are due again after the lease. */
export const takeDuePushes = new Script("take-due-pushes.lua", {
  keys: ["due"],
  args: { nowMs: "number", leaseMs: "number", limit: "number" },
  reply: listOf(text),
});
