import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { flag, nothing, number, text, variants } from "../script-reply.ts";

const CLAIMED = {
  claimed: {},
  done: { value: text, labels: text },
  busy: {},
  uncertain: { messageId: text, labels: text },
} as const;

/** Reply: `busy`: its holder is alive; `uncertain`: its holder died. */
export const claimOnce = new Script("claim-once.lua", {
  parts: ["redis-time.lua"],
  // `claims`: the agent's claims, by the time of their last write, in ms.
  keys: ["claim", "jobLock", "claims", "ledger"],
  // `noteField`: note of the claim in the message's ledger, for display. `takesOver`: takes over an uncertain
  // claim. `labels`: taint labels of what the effect may use, as a JSON list.
  args: kindsOf("token noteField note digest messageId nowText claimId takesOver:flag runId labels"),
  reply: variants({ lost: {}, ...CLAIMED }),
});

/** For a whole agent in several shards. Reply: `stale`: another has claimed, finished or freed it since it was read. */
export const claimForAgent = new Script("claim-for-agent.lua", {
  parts: ["redis-time.lua"],
  keys: ["claim", "claims"],
  args: {
    // Id of the claim that was found, or null for none; whether its holder is alive, and the same delivery.
    seen: "text?",
    isAlive: "flag",
    isOwn: "flag",
    takesOver: "flag",
    messageId: "text",
    nowText: "text",
    claimId: "text",
    // Of the claimant's job.
    jobLock: "text",
    token: "text",
    runId: "text",
    labels: "text",
  },
  reply: variants({ stale: {}, ...CLAIMED }),
});

/** Reply: whether the claimant still holds its job. */
export const noteClaim = new Script("note-claim.lua", {
  keys: ["jobLock", "ledger"],
  args: { token: "text", noteField: "text", note: "text", digest: "text" },
  reply: flag,
});

export const finishOnce = new Script("finish-once.lua", {
  parts: ["redis-time.lua"],
  keys: ["claim", "claims"],
  // `value`: JSON text of the result; null frees the claim.
  args: { claimId: "text", value: "text?", labels: "text?" },
  reply: nothing,
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
