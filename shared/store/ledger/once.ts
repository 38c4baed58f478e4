import { z } from "zod";
import { claimForAgent, claimOnce, finishOnce, noteClaim } from "../scripts/claims.ts";
import { isRedisReply } from "../script.ts";
import { LockLostError } from "../errors.ts";
import { StorePart } from "../store-part.ts";
import type { PlacedStore } from "../store-part.ts";
import type { Hold } from "./ledger.ts";

export type Claim =
  | { readonly kind: "claimed" }
  | { readonly kind: "done"; readonly value: string; readonly labels: readonly string[] }
  /** A live worker holds the claim. */
  | { readonly kind: "busy" }
  /** A worker died between claim and completion: the effect may have happened. */
  | { readonly kind: "uncertain"; readonly messageId: string; readonly labels: readonly string[] };

/** Identifies a claim: the author's key, in one run or, with `runId` null, for the whole agent. */
interface ClaimName {
  readonly key: string;
  readonly runId: string | null;
  readonly claimId: string;
}

export interface ClaimRequest extends ClaimName {
  /** Taint labels of what the effect may use, which go with its result to whoever shares it. */
  readonly labels: readonly string[];
  readonly at: string;
  /** Takes over the claim of a dead worker, after its effect was checked with the provider. */
  readonly takesOver: boolean;
}

/**
 * Claims of side effects (idempotency) by agent, scope and the author's key. A claim is written before its effect,
 * and `retireClaims` deletes it once it is older than the retention and its run has ended.
 */
export class EffectClaims extends StorePart {
  /** Where a claim lies: one of a run in its shard, one of the whole agent where the installation has it. */
  private placeOf({ runId }: { readonly runId: string | null }): PlacedStore {
    return runId === null ? this.store.whole : this.store;
  }

  /**
   * Claims a side effect.
   *
   * @throws {LockLostError} Another worker holds the job.
   * @throws {NotReplicatedError} A failover could lose the claim. It was freed, and the effect must not be executed.
   */
  async claim(hold: Hold, request: ClaimRequest): Promise<Claim> {
    const { key, runId } = request;
    if (runId === null && this.store.whole.shards.length > 1) return this.claimForAgent(hold, request);
    const claim = await claimOnce.run(this.redis, {
      claim: this.keys.once(hold.agent, key, runId),
      jobLock: this.keys.lock(hold.queue, hold.jobId),
      claims: this.keys.claims(hold.agent),
      ledger: this.keys.ledger(hold.agent, hold.messageId),
      noteField: `x:${key}`,
      note: JSON.stringify({ at: request.at, scope: runId === null ? "agent" : "run" }),
      digest: hold.digest,
      token: hold.token,
      messageId: hold.messageId,
      nowText: request.at,
      claimId: request.claimId,
      takesOver: request.takesOver,
      runId: hold.runId,
      labels: JSON.stringify(request.labels),
    });
    if (claim.kind === "lost") throw new LockLostError(hold.messageId);
    if (claim.kind === "claimed") await this.confirmClaim(hold, request);
    return "labels" in claim ? { ...claim, labels: readLabels(claim.labels) } : claim;
  }

  /**
   * Claims for the whole agent where there are several shards: where all of them look, and then with the fence and the
   * note of the message in its own. A worker that loses its job in between frees the claim.
   *
   * @throws {LockLostError | NotReplicatedError}
   */
  private async claimForAgent(hold: Hold, request: ClaimRequest): Promise<Claim> {
    const { redis, keys, shards } = this.store.whole;
    const jobLock = this.keys.lock(hold.queue, hold.jobId);
    const claim = keys.once(hold.agent, request.key, null);
    const [lock = null, token = null, seen = null] = await redis.hmget(claim, "lock", "token", "claim_id");
    const holders = shards.filter(({ keys: own }) => lock?.startsWith(own.queuePrefix) === true);
    const locks = await Promise.all(holders.map((shard) => shard.redis.get(lock ?? "")));
    const claimed = await claimForAgent.run(redis, {
      claim,
      claims: keys.claims(hold.agent),
      seen,
      isAlive: token !== null && locks.includes(token),
      isOwn: token === hold.token,
      takesOver: request.takesOver,
      messageId: hold.messageId,
      nowText: request.at,
      claimId: request.claimId,
      lock: jobLock,
      token: hold.token,
      runId: hold.runId,
      labels: JSON.stringify(request.labels),
    });
    if (claimed.kind === "stale") return this.claimForAgent(hold, request);
    const isHeld = await noteClaim.run(this.redis, {
      jobLock,
      ledger: this.keys.ledger(hold.agent, hold.messageId),
      token: hold.token,
      noteField: `x:${request.key}`,
      note: JSON.stringify({ at: request.at, scope: "agent" }),
      digest: hold.digest,
    });
    if (!isHeld) {
      if (claimed.kind === "claimed") await this.free(hold.agent, request);
      throw new LockLostError(hold.messageId);
    }
    if (claimed.kind === "claimed") await this.confirmClaim(hold, request);
    return "labels" in claimed ? { ...claimed, labels: readLabels(claimed.labels) } : claimed;
  }

  /** Frees the claim if replication fails, so that the next attempt can claim again. */
  private async confirmClaim(hold: Hold, request: ClaimRequest): Promise<void> {
    try {
      const { keys, confirmation } = this.placeOf(request);
      await confirmation.confirm(keys.once(hold.agent, request.key, request.runId), "claim_id");
    } catch (error) {
      await this.free(hold.agent, request);
      throw error;
    }
  }

  /** Returns a claim, for display; null if there is none, it is kept no more, or its key is damaged. */
  async read(
    agent: string,
    { key, runId }: Pick<ClaimName, "key" | "runId">,
  ): Promise<{ readonly state: string; readonly at: string; readonly value: string | null } | null> {
    try {
      const { redis, keys } = this.placeOf({ runId });
      const fields = await redis.hmget(keys.once(agent, key, runId), "state", "at", "value");
      const [state = null, at = null, value = null] = fields;
      return state === null ? null : { state, at: at ?? "", value };
    } catch (error) {
      if (!isRedisReply(error)) throw error;
      return null;
    }
  }

  /** Completes a claim; `value` is the effect's result as JSON text, `labels` the taint labels of its sources. */
  async finish(
    agent: string,
    done: ClaimName & { readonly value: string; readonly labels: readonly string[] },
  ): Promise<void> {
    const { redis, keys } = this.placeOf(done);
    await finishOnce.run(redis, {
      claim: keys.once(agent, done.key, done.runId),
      claims: keys.claims(agent),
      claimId: done.claimId,
      value: done.value,
      labels: JSON.stringify(done.labels),
    });
  }

  /** Frees a claim whose effect did not happen, as the author's code reports by throwing. */
  async free(agent: string, claim: ClaimName): Promise<void> {
    const { redis, keys } = this.placeOf(claim);
    await finishOnce.run(redis, {
      claim: keys.once(agent, claim.key, claim.runId),
      claims: keys.claims(agent),
      claimId: claim.claimId,
      value: null,
      labels: null,
    });
  }
}

const labelsSchema = z.array(z.string());

/** Claims of older releases have none. */
function readLabels(text: string | null): readonly string[] {
  return text === null ? [] : labelsSchema.parse(JSON.parse(text));
}
