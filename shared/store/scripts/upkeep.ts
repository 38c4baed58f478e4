import { Script } from "../script.ts";
import { flag, number } from "../script-reply.ts";

/** Reply: number of deleted claims. */
export const retireClaims = new Script("retire-claims.lua", {
  parts: ["redis-time.lua"],
  keys: ["index"],
  touches: true,
  // `goesOn`: the claim's run has not ended.
  args: { cutoffMs: "number", claims: { list: { key: "text", goesOn: "flag" } } },
  reply: number,
});

/** Reply: false if something holds it, or it has ended. */
export const relistJob = new Script("relist-job.lua", {
  keys: ["job", "lock", "wait", "active", "paused", "delayed", "prioritized", "failed", "marker"],
  args: { jobId: "text", nowMs: "number" },
  reply: flag,
});
