import { Script } from "../script.ts";
import { listOf, text } from "../script-reply.ts";

/** Reply: ids of the runs that are due, which are due again after the lease. */
export const takeDueWebhooks = new Script("take-due-webhooks.lua", {
  keys: ["due"],
  args: { nowMs: "number", leaseMs: "number", limit: "number" },
  reply: listOf(text),
});
