import { DeclaredScript } from "../declared-script.ts";
import { flag, listOf, nothing, oneOf, record, text } from "../script-reply.ts";

export const lookAtCase = new DeclaredScript("look-at-case.lua", {
  parts: ["group-turns.lua"],
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
export const forgetCase = new DeclaredScript("forget-case.lua", {
  keys: ["case", "audit", "counts"],
  args: { caseId: "text", wardBase: "text", closedBeforeMs: "number" },
  reply: flag,
});

export const keepRecipe = new DeclaredScript("keep-recipe.lua", {
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
    // From whose letter it was learned, and how many such there may be for this fingerprint and in all.
    producer: "text?",
    ofProducerHereMax: "number",
    ofProducerMax: "number",
    producerListLifeS: "number",
  },
  reply: oneOf(["kept", "stale", "full"]),
});

/** Amounts in micro-USD. Reply: `reserved`, or whose limit said no. */
export const reserveCost = new DeclaredScript("reserve-cost.lua", {
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

export const settleCost = new DeclaredScript("settle-cost.lua", {
  keys: ["case", "spentInHour", "group", "spentByTenant"],
  // True cost minus reserved, in micro-USD; may be negative.
  args: { more: "number", moreInHour: "number", answerField: "text?", answer: "text" },
  reply: nothing,
});

/** Reply: false where it is in another state. */
export const moveBatch = new DeclaredScript("move-batch.lua", {
  keys: ["batch"],
  args: { from: "text", to: "text", atMs: "number" },
  reply: flag,
});
