import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { flag, listOf, nothing, number, oneOf, orNull, record, text, variants } from "../script-reply.ts";
import { EFFECTS } from "./effects.ts";
import { finished, FINISH_PARTS, MAY_FINISH } from "./queues.ts";

/** Writes one change of a case with its effects. */
export const writeCase = new Script("write-case.lua", {
  touches: true,
  parts: [...FINISH_PARTS, ...EFFECTS.parts, "push-audit.lua", "group-lifecycle.lua", "apply-case.lua"],
  // `jobLock`: the case itself if the change is not fenced.
  keys: ["case", "audit", "wardAudit", "caseCounts", "jobLock", ...EFFECTS.keys],
  args: {
    // `expectedVersion`: 0: the case must not exist. `token`: lock token of the fencing job. `hour`: hours since
    // the epoch. `recipeId`: the recipe that healed it. `entry`: of the inbox, which it takes out.
    ...kindsOf(
      "caseId expectedVersion:number wardBase nowMs:digits status fingerprint token:text? hour:number",
      "auditEntry:text? caseAuditLength:number auditLength:number trendHours:number producersMax:number",
      "recipeId:text? entry:text?",
    ),
    // An arriving message: its producer, what its group stands for, whether it is a replay, and the parties involved.
    arrival: {
      optional: {
        producer: "text",
        cause: "text",
        isReplay: "flag",
        parties: { list: { name: "text", version: "number" } },
      },
    },
    removes: "texts",
    sets: "pairs",
    ...MAY_FINISH,
    ...EFFECTS.args,
  },
  reply: variants({
    stale: {},
    lost: {},
    gone: {},
    written: { version: number, finished: orNull(finished) },
  }),
});

/** Reply: whether it was taken out. */
export const moveEntry = new Script("move-entry.lua", {
  keys: ["inbox", "target", "case"],
  args: kindsOf("entry field mark:text? most:number"),
  reply: flag,
});

export const readCaseForSurgery = new Script("read-case-for-surgery.lua", {
  parts: ["model-slots.lua"],
  keys: ["case", "recipesVersion"],
  // `queueBase`: of the ward queue's keys.
  args: kindsOf("wardBase queueBase nowMs:number cancelledBase headFields:texts"),
  reply: record({
    // Field, value …; without messages and operations while it must wait.
    fields: listOf(text),
    recipesVersion: text,
    // Another case of the group holds the model slot.
    mustWait: flag,
    isCancelled: flag,
  }),
});

/** Reply: false if the case is open, or was closed later. */
export const forgetCase = new Script("forget-case.lua", {
  keys: ["case", "audit", "counts"],
  args: { caseId: "text", wardBase: "text", closedBeforeMs: "number" },
  reply: flag,
});

export const keepRecipe = new Script("keep-recipe.lua", {
  parts: ["push-audit.lua"],
  // `recipes`: of the fingerprint. `fingerprintOf`: by recipe. `fingerprints`: those with recipes. `version`: of all.
  keys: [
    "recipes",
    "fingerprintOf",
    "fingerprints",
    "version",
    "wardAudit",
    "recipeAudit",
    "ofProducer",
    "uses",
  ],
  // `seen`: text that the recipe must have (compare-and-set); null: it must not exist. `recipeText`: null deletes
  // it. `affectsLadder`: the change affects the ladder. `producer`: producer whose message it was learned from, and
  // the limits of learned recipes per fingerprint and in all.
  args: kindsOf(
    "recipeId fingerprint seen:text? recipeText:text? ofFingerprintMax:number recipesMax:number",
    "entry:text? auditLength:number affectsLadder:flag recipeAuditLength:number producer:text?",
    "ofProducerHereMax:number ofProducerMax:number producerListLifeS:number",
  ),
  reply: oneOf(["kept", "stale", "full"]),
});

/** Amounts in micro-USD. Reply: `reserved`, or the limit that was reached. */
export const reserveCost = new Script("reserve-cost.lua", {
  // `heldBack`: calls refused by the hourly limit.
  keys: ["case", "spentInHour", "group", "heldBack", "spentByTenant"],
  // `tenantMax`: the tenant's share of the hourly limit.
  args: kindsOf(
    "amount:number caseMax:number hourMax:number groupMax:number tenantMax:number hourLifeMs:number",
    "nowMs:number",
  ),
  reply: oneOf(["reserved", "case", "group", "hour"]),
});

export const settleCost = new Script("settle-cost.lua", {
  keys: ["case", "spentInHour", "group", "spentByTenant"],
  // True cost minus reserved, in micro-USD; may be negative.
  args: { more: "number", moreInHour: "number", answerField: "text?", answer: "text" },
  reply: nothing,
});
