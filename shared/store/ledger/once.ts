import { claimOnce, finishOnce } from "../scripts/claims.ts";
import type { RedisClient } from "../script.ts";
import type { Confirmation } from "../confirmation.ts";
import type { Keys } from "../keys.ts";
import { LockLostError } from "../errors.ts";
import type { Hold } from "./ledger.ts";

export type Claim =
  | { readonly kind: "claimed" }
  | { readonly kind: "done"; readonly value: string }
  /** Another live worker is at it right now. */
  | { readonly kind: "busy" }
  /** A worker died between claiming and finishing: the effect may have happened. */
  | { readonly kind: "uncertain"; readonly messageId: string }
  /** A release before scopes claimed it for this run: the claim is the one with `runId` null. */
  | { readonly kind: "unscoped" };

/** Which claim is meant: the author's key, in one run or, with `runId` null, for the whole agent. */
interface ClaimName {
  readonly key: string;
  readonly runId: string | null;
  readonly claimId: string;
}

export interface ClaimRequest extends ClaimName {
  /** The scope that the author asks for. Kept with the claim, so that no run takes an agent's claim for its own. */
  readonly scope: "run" | "agent";
  readonly at: string;
  /** Takes over a claim whose holder died, after the outside world was asked. */
  readonly takesOver: boolean;
}

/**
 * Claims of side effects by agent, scope and the author's key. The claim is written before the effect, and forgotten by
 * `retireClaims` once it is older than the retention and its run is over.
 */
export class EffectClaims {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly confirmation: Confirmation;

  constructor(parts: {
    readonly redis: RedisClient;
    readonly keys: Keys;
    readonly confirmation: Confirmation;
  }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.confirmation = parts.confirmation;
  }

  /**
   * @throws {LockLostError} Another worker holds the job.
   * @throws {NotReplicatedError} A failover could forget the claim: it was given up, the effect must not be done.
   */
  async claim(hold: Hold, request: ClaimRequest): Promise<Claim> {
    const { key, runId } = request;
    const agentClaim = runId === null ? null : this.keys.once(hold.agent, key, null);
    const claim = await claimOnce.run(this.redis, {
      claim: this.keys.once(hold.agent, key, runId),
      jobLock: this.keys.lock(hold.agent, hold.queue, hold.jobId),
      claims: this.keys.claims(hold.agent),
      touches: agentClaim === null ? [] : [agentClaim],
      token: hold.token,
      messageId: hold.messageId,
      nowText: request.at,
      claimId: request.claimId,
      takesOver: request.takesOver,
      runId: hold.runId,
      scope: request.scope,
      agentClaim,
    });
    if (claim.kind === "lost") throw new LockLostError(hold.messageId);
    if (claim.kind === "claimed") await this.confirmClaim(hold, request);
    return claim;
  }

  /** What is not confirmed has not begun: the claim is freed, so that the next try may claim again. */
  private async confirmClaim(hold: Hold, request: ClaimRequest): Promise<void> {
    try {
      await this.confirmation.confirm(this.keys.once(hold.agent, request.key, request.runId), "claim_id");
    } catch (error) {
      await this.free(hold.agent, request);
      throw error;
    }
  }

  /** The effect happened; `value` is its JSON text. */
  async finish(agent: string, done: ClaimName & { readonly value: string }): Promise<void> {
    await finishOnce.run(this.redis, {
      claim: this.keys.once(agent, done.key, done.runId),
      claims: this.keys.claims(agent),
      claimId: done.claimId,
      value: done.value,
    });
  }

  /** The effect did not happen, says the author's code by throwing: the next try may claim again. */
  async free(agent: string, claim: ClaimName): Promise<void> {
    await finishOnce.run(this.redis, {
      claim: this.keys.once(agent, claim.key, claim.runId),
      claims: this.keys.claims(agent),
      claimId: claim.claimId,
      value: null,
    });
  }
}
