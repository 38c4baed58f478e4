import { Script } from "../script.ts";
import { flag, listOf, nothing, number, oneOf, orNull, record, text, variants } from "../script-reply.ts";
import { finished, FINISH_PARTS, JOB, MAY_FINISH } from "./queues.ts";
import { RUNS } from "./runs.ts";

/** What moves a case from one version to the next. */
const CASE = {
  parts: ["push-audit.lua", "group-lifecycle.lua", "apply-case.lua"],
  // `jobLock`: the case itself where nothing fences the change.
  keys: ["case", "outbox", "audit", "wardAudit", "caseCounts", "jobLock"],
  args: {
    caseId: "text",
    // 0: it must not exist.
    expectedVersion: "number",
    wardBase: "text",
    nowMs: "digits",
    status: "text",
    fingerprint: "text",
    // Of the job that fences the change.
    token: "text?",
    // Since the epoch.
    hour: "number",
    entryId: "text?",
    entry: "text",
    auditEntry: "text?",
    caseAuditLength: "number",
    auditLength: "number",
    trendHours: "number",
    producersMax: "number",
    // The one that healed it.
    recipeId: "text?",
    // A message that arrives: who made it, whether it was repaired and is back, and who had to do with it.
    arrival: {
      optional: {
        producer: "text",
        isReplay: "flag",
        parties: { list: { name: "text", version: "number" } },
      },
    },
    removes: "texts",
    sets: "pairs",
  },
} as const;

export const writeCase = new Script("write-case.lua", {
  ...CASE,
  reply: variants({ stale: {}, lost: {}, written: { version: number } }),
});

export const writeCaseTogether = new Script("write-case-together.lua", {
  parts: [...FINISH_PARTS, "add-plain.lua", ...RUNS.parts, ...CASE.parts],
  keys: [...CASE.keys, ...RUNS.keys],
  args: {
    ...CASE.args,
    jobOptions: "text",
    ...MAY_FINISH,
    jobs: { list: JOB },
    ...RUNS.args,
  },
  reply: variants({ stale: {}, lost: {}, written: { version: number, finished: orNull(finished) } }),
});

export const lookAtCase = new Script("look-at-case.lua", {
  parts: ["model-slots.lua"],
  keys: ["case", "recipesVersion"],
  args: {
    wardBase: "text",
    // Of the ward queue's keys.
    queueBase: "text",
    nowMs: "number",
    // Of all keys, where one Redis holds every slot.
    keyPrefix: "text?",
    headFields: "texts",
  },
  reply: record({
    // Field, value … of its head alone while its group waits.
    fields: listOf(text),
    recipesVersion: text,
    // The group waits for one that has a model asked.
    mustWait: flag,
    // "1" when the run is cancelled; "" when that has to be asked elsewhere.
    cancelled: text,
  }),
});

/** Reply: false where it is open, or was closed later. */
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
  args: {
    recipeId: "text",
    fingerprint: "text",
    // The text it must have; null: it must not be there.
    seen: "text?",
    // Null deletes it.
    recipeText: "text?",
    ofFingerprintMax: "number",
    recipesMax: "number",
    entry: "text?",
    auditLength: "number",
    // Who applies recipes has to hear of it.
    isHeard: "flag",
    recipeAuditLength: "number",
    // From whose message it was learned, and how many such there may be for this fingerprint and in all.
    producer: "text?",
    ofProducerHereMax: "number",
    ofProducerMax: "number",
    producerListLifeS: "number",
  },
  reply: oneOf(["kept", "stale", "full"]),
});

/** Amounts in micro-USD. Reply: `reserved`, or whose limit said no. */
export const reserveCost = new Script("reserve-cost.lua", {
  // `heldBack`: what the hour's limit did.
  keys: ["case", "spentInHour", "group", "heldBack", "spentByTenant"],
  args: {
    amount: "number",
    caseMax: "number",
    hourMax: "number",
    groupMax: "number",
    // What of an hour's money the tenant may have.
    tenantMax: "number",
    hourLifeMs: "number",
    nowMs: "number",
  },
  reply: oneOf(["reserved", "case", "group", "hour"]),
});

export const settleCost = new Script("settle-cost.lua", {
  keys: ["case", "spentInHour", "group", "spentByTenant"],
  // True cost minus reserved, in micro-USD; may be negative.
  args: { more: "number", moreInHour: "number", answerField: "text?", answer: "text" },
  reply: nothing,
});

/** Reply: false where it is in another state. */
export const moveBatch = new Script("move-batch.lua", {
  keys: ["batch"],
  args: { from: "text", to: "text", atMs: "number" },
  reply: flag,
});
