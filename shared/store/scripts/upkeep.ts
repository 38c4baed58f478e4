import { Script } from "../script.ts";
import { flag, nothing, number, record } from "../script-reply.ts";

export const forgetRuns = new Script("forget-runs.lua", {
  // `index`: of one final status, or of one tenant.
  keys: ["indexOfAll", "index"],
  args: { runBase: "text", createdBeforeMs: "number", offset: "number", limit: "number" },
  reply: record({ looked: number, forgotten: number }),
});

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

export const takeStranded = new Script("take-stranded.lua", {
  keys: ["job", "lock", "wait", "active", "failed", "delayed", "prioritized", "stalled"],
  args: { jobId: "text" },
  reply: nothing,
});
