import { Script } from "../script.ts";
import { listOf, nothing, number, oneOf, record } from "../script-reply.ts";

/** Also of a recipe. For the ward's audit alone, `audit` is `wardAudit`. */
export const addAudit = new Script("add-audit.lua", {
  parts: ["push-audit.lua"],
  keys: ["wardAudit", "audit"],
  args: { entry: "text", auditLength: "number", ownAuditLength: "number" },
  reply: nothing,
});

export const markGroup = new Script("mark-group.lua", {
  parts: ["push-audit.lua", "group-lifecycle.lua"],
  keys: ["group", "wardAudit", "groupAudit"],
  args: {
    seenVersion: "number?",
    lifecycle: "text",
    nowMs: "number",
    by: "text",
    sinceName: "text?",
    sinceVersion: "number?",
    entry: "text",
    auditLength: "number",
    groupAuditLength: "number",
    // As it was signed.
    signedMark: "text?",
  },
  reply: oneOf(["marked", "stale", "absent"]),
});

/** Reply: a count for each group. */
export const countQuarantined = new Script("count-quarantined.lua", {
  keys: ["quarantined"],
  touches: true,
  // The index of each.
  args: { groups: "texts" },
  reply: listOf(number),
});

/** `queueBase`: of the ward queue's keys. */
const TURNS = { queueBase: "text", nowMs: "number" } as const;

export const takeTurn = new Script("take-turn.lua", {
  parts: ["group-turns.lua"],
  keys: ["turns", "lock"],
  // `turnsAtOnce`: where the last repair gave no recipe. `lifeMs`: of the group's turns.
  args: { ...TURNS, jobId: "text", token: "text", turnsAtOnce: "number", lifeMs: "number" },
  reply: oneOf(["yours", "busy", "lost"]),
});

export const endTurn = new Script("end-turn.lua", {
  parts: ["group-turns.lua"],
  keys: ["turns"],
  args: {
    ...TURNS,
    jobId: "text",
    token: "text",
    // "recipe", "barren" or "rest".
    outcome: "text",
    restsUntilMs: "number",
    lifeMs: "number",
    why: "text",
  },
  reply: nothing,
});

/** `waiting`: jobs that wait for the group. `waitingGroups`: fingerprints for which jobs wait. */
const WAITING = ["turns", "waiting", "waitingGroups"] as const;

/** Reply: `free`: nobody would call it. */
export const parkJob = new Script("park-job.lua", {
  parts: ["redis-time.lua", "delayed-score.lua", "group-turns.lua"],
  keys: WAITING,
  args: { ...TURNS, jobId: "text", token: "text", waitMs: "number", fingerprint: "text" },
  reply: oneOf(["parked", "free", "lost"]),
});

export const callWaiting = new Script("call-waiting.lua", {
  parts: ["group-turns.lua"],
  keys: WAITING,
  // `turnsAtOnce`: null when a recipe is there, and all are called.
  args: { ...TURNS, fingerprint: "text", turnsAtOnce: "number?", calledMax: "number" },
  reply: record({ called: number, left: number }),
});
