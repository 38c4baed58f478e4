import { Script } from "../script.ts";
import { nothing, text, variants } from "../script-reply.ts";

/** Reply: `busy`: its holder lives; `uncertain`: its holder died; `unscoped`: the agent's claim is this run's. */
export const claimOnce = new Script("claim-once.lua", {
  parts: ["redis-time.lua"],
  // `claims`: the agent's, by when each was last written, in ms.
  keys: ["claim", "jobLock", "claims"],
  touches: true,
  args: {
    token: "text",
    messageId: "text",
    nowText: "text",
    claimId: "text",
    // An uncertain claim, too.
    takesOver: "flag",
    runId: "text",
    // What the author asks for: "run" or "agent".
    scope: "text",
    // For a claim of one run: the key of the agent's claim, where releases before scopes kept it.
    agentClaim: "text?",
  },
  reply: variants({
    lost: {},
    claimed: {},
    done: { value: text },
    busy: {},
    uncertain: { messageId: text },
    unscoped: {},
  }),
});

export const finishOnce = new Script("finish-once.lua", {
  parts: ["redis-time.lua"],
  keys: ["claim", "claims"],
  // `value`: JSON text of what was done; null frees the claim.
  args: { claimId: "text", value: "text?" },
  reply: nothing,
});
