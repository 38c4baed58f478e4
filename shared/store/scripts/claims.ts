import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { nothing, orNull, text, variants } from "../script-reply.ts";

/**
 * Reply: `busy`: its holder is alive; `uncertain`: its holder died; `unscoped`: the agent's claim belongs to this
 * run.
 */
export const claimOnce = new Script("claim-once.lua", {
  parts: ["redis-time.lua"],
  // `claims`: the agent's claims, by the time of their last write, in ms.
  keys: ["claim", "jobLock", "claims", "ledger"],
  touches: true,
  // `noteField`: note of the claim in the message's ledger, for display. `takesOver`: takes over an uncertain
  // claim. `scope`: scope that the author asks for: "run" or "agent". `labels`: taint labels of what the effect may
  // use, as a JSON list. `agentClaim`: for a claim in one run: key of the agent's claim, used by releases without
  // scopes.
  args: kindsOf(
    "token noteField note digest messageId nowText claimId takesOver:flag runId scope labels",
    "agentClaim:text?",
  ),
  reply: variants({
    lost: {},
    claimed: {},
    done: { value: text, labels: orNull(text) },
    busy: {},
    uncertain: { messageId: text, labels: orNull(text) },
    unscoped: {},
  }),
});

export const finishOnce = new Script("finish-once.lua", {
  parts: ["redis-time.lua"],
  keys: ["claim", "claims"],
  // `value`: JSON text of the result; null frees the claim.
  args: { claimId: "text", value: "text?", labels: "text?" },
  reply: nothing,
});
