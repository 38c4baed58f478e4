import { z } from "zod";
import { claimForAgent, claimOnce, finishOnce, noteClaim } from "../scripts/claims.ts";
import { isRedisReply } from "../script.ts";
import type { ReadBy } from "../script-reply.ts";
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

const labelsSchema = z.array(z.string());

type WrittenClaim = ReadBy<typeof claimOnce.declared.reply>;

/** Identifies a claim: the author's key, in one run or, with `runId` null, for the whole agent. */
export interface ClaimName {
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
  /** Returns the place of a claim: a run's is in its shard, a whole agent's is in the installation's. */
  private placeOf({ runId }: { readonly runId: string | null }): PlacedStore {
    return runId === null ? this.store.whole : this.store;
  }

  /**
   * Claims a side effect.
   * @throws {LockLostError} Another worker holds the job.
   * @throws {NotReplicatedError} A failover could lose the claim. It was freed, and the effect must not be executed.
   */
  async claim(hold: Hold, request: ClaimRequest): Promise<Claim> {
    const isShared = request.runId === null && this.store.whole.shards.length > 1;
    const claim = isShared ? await this.claimForAgent(hold, request) : await this.claimHere(hold, request);
    if (claim.kind === "lost") throw new LockLostError(hold.messageId);
    if (claim.kind === "claimed") await this.confirmClaim(hold, request);
    return "labels" in claim ? { ...claim, labels: labelsSchema.parse(JSON.parse(claim.labels)) } : claim;
  }

  private claimHere(hold: Hold, request: ClaimRequest): Promise<WrittenClaim> {
    return claimOnce.run(this.redis, {
      ...this.toCall(hold, request),
      claim: this.keys.once(hold.agent, request.key, request.runId),
      claims: this.keys.claims(hold.agent),
    });
  }

  /** Keys and arguments of scripts that claim, but for the claim's own. */
  private toCall(hold: Hold, { key, runId, at, labels, claimId, takesOver }: ClaimRequest) {
    return {
      jobLock: this.keys.lock(hold.queue, hold.jobId),
      ledger: this.keys.ledger(hold.agent, hold.messageId),
      noteField: `x:${key}`,
      note: JSON.stringify({ at, scope: runId === null ? "agent" : "run" }),
      digest: hold.digest,
      token: hold.token,
      messageId: hold.messageId,
      nowText: at,
      claimId,
      takesOver,
      runId: hold.runId,
      labels: JSON.stringify(labels),
    };
  }

  /**
   * Claims for the whole agent where there are several shards: where all of them look, and then with the fence and the
   * note of the message in its own. A worker that loses its job in between frees the claim.
   */
  private async claimForAgent(hold: Hold, request: ClaimRequest): Promise<WrittenClaim> {
    const { redis, keys, shards } = this.store.whole;
    const call = this.toCall(hold, request);
    const claim = keys.once(hold.agent, request.key, null);
    const [lock = null, token = null, seen = null] = await redis.hmget(claim, "lock", "token", "claim_id");
    const holders = shards.filter(({ keys: own }) => lock?.startsWith(own.queuePrefix) === true);
    const locks = await Promise.all(holders.map((shard) => shard.redis.get(lock ?? "")));
    const [isAlive, isOwn] = [token !== null && locks.includes(token), token === hold.token];
    const claims = keys.claims(hold.agent);
    const claimed = await claimForAgent.run(redis, { ...call, claim, claims, seen, isAlive, isOwn });
    if (claimed.kind === "stale") return this.claimForAgent(hold, request);
    if (await noteClaim.run(this.redis, call)) return claimed;
    if (claimed.kind === "claimed") await this.free(hold.agent, request);
    return { kind: "lost" };
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
    { value, labels, ...name }: ClaimName & { readonly value: string; readonly labels: readonly string[] },
  ): Promise<void> {
    await this.end(agent, name, { value, labels: JSON.stringify(labels) });
  }

  /** Frees a claim whose effect did not happen, as the author's code reports by throwing. */
  async free(agent: string, name: ClaimName): Promise<void> {
    await this.end(agent, name, { value: null, labels: null });
  }

  private async end(
    agent: string,
    { key, runId, claimId }: ClaimName,
    how: { readonly value: string | null; readonly labels: string | null },
  ): Promise<void> {
    const { redis, keys } = this.placeOf({ runId });
    const claim = keys.once(agent, key, runId);
    await finishOnce.run(redis, { claim, claims: keys.claims(agent), claimId, ...how });
  }
}
