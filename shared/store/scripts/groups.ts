import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { nothing, number, oneOf, record } from "../script-reply.ts";

/** Also used for recipes. For the ward's audit alone, `audit` is `wardAudit`. */
export const addAudit = new Script("add-audit.lua", {
  parts: ["push-audit.lua"],
  keys: ["wardAudit", "audit"],
  args: { entry: "text", auditLength: "number", ownAuditLength: "number" },
  reply: nothing,
});

export const markGroup = new Script("mark-group.lua", {
  parts: ["push-audit.lua", "group-lifecycle.lua"],
  keys: ["group", "wardAudit", "groupAudit"],
  // isKnown: whether another shard knows it.
  args: kindsOf(
    "isKnown:flag seenVersion:number? lifecycle nowMs:number by sinceName:text? sinceVersion:number? entry",
    "untilMs:number? auditLength:number groupAuditLength:number",
  ),
  reply: oneOf(["marked", "stale", "absent"]),
});

/** `queueBase`: of the ward queue's keys. */
const SLOTS = { queueBase: "text", nowMs: "number" } as const;

export const takeModelSlot = new Script("take-model-slot.lua", {
  parts: ["model-slots.lua"],
  keys: ["slots", "lock"],
  // `slotsAtOnce`: where the last repair gave no recipe. `lifeMs`: of the group's slots.
  args: { ...SLOTS, jobId: "text", token: "text", slotsAtOnce: "number", lifeMs: "number" },
  reply: oneOf(["yours", "busy", "lost"]),
});

export const freeModelSlot = new Script("free-model-slot.lua", {
  parts: ["model-slots.lua"],
  keys: ["slots"],
  args: {
    ...SLOTS,
    // `outcome`: "recipe", "no_recipe" or "rest".
    ...kindsOf("jobId token outcome restsUntilMs:number lifeMs:number why"),
  },
  reply: nothing,
});

/** `waiting`: parked jobs of the group. `waitingGroups`: fingerprints with parked jobs. */
const WAITING = ["slots", "waiting", "waitingGroups"] as const;

/** Reply: `free`: no slot is taken, so nothing would wake the job. */
export const parkJob = new Script("park-job.lua", {
  parts: ["redis-time.lua", "delayed-score.lua", "model-slots.lua"],
  keys: WAITING,
  args: { ...SLOTS, jobId: "text", token: "text", waitMs: "number", fingerprint: "text" },
  reply: oneOf(["parked", "free", "lost"]),
});

export const wakeParked = new Script("wake-parked.lua", {
  parts: ["model-slots.lua"],
  keys: WAITING,
  // `slotsAtOnce`: null if there is a recipe, and all jobs are woken.
  args: { ...SLOTS, fingerprint: "text", slotsAtOnce: "number?", calledMax: "number" },
  reply: record({ called: number, left: number }),
});
