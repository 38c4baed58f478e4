import { now, uuidv7 } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { collectBranch, openFanOut, takeDueFanOuts, tendFanOut } from "../scripts/fan-outs.ts";
import type { OutboxEntry } from "../settlement/settlement.ts";
import { toFanOutRecord, toFields } from "./fan-out-record.ts";
import type { BranchFailure, FanOutOpening, FanOutRecord, FiredBy } from "./fan-out-record.ts";

/** Delay of the first check of a fan-out without events, in ms after its opening. */
const FIRST_LOOK_MS = 1000;

/** Answer of one branch. */
interface BranchAnswer {
  readonly fanOutId: string;
  readonly index: number;
  readonly messageId: string;
  /** JSON text. */
  readonly answer: string;
  /** Money that the run has spent, as far as the branch knows; the fan-out subtracts what was spent before it. */
  readonly costMicro: number;
  readonly tokens: number;
}

/** Result of collecting an answer; `entry` holds its effects, already in the join's outbox. */
export interface Collected {
  /** Only `counted` answers are delivered to the join. */
  readonly as: "counted" | "late" | "duplicate" | "too_large" | "unknown";
  readonly entry: OutboxEntry | null;
}

/** Observed state of a branch that has not answered. */
export interface BranchSight {
  readonly index: number;
  readonly state: "started" | "parked" | "failed";
  readonly failure: BranchFailure | null;
}

/**
 * Fan-outs, each in the slot of the agent that joins it. Every change is one script, which also writes its effects to
 * the slot's outbox: the next branches, or the message that waited for them.
 */
export class FanOutStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(parts: { readonly redis: RedisClient; readonly keys: Keys }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
  }

  /**
   * Opens a fan-out. Idempotent.
   *
   * @returns Effects to deliver at once: the join, if there is no branch.
   */
  async open(opening: FanOutOpening): Promise<OutboxEntry | null> {
    const reply = await openFanOut.run(this.redis, {
      ...this.advanceCall(opening.join, opening.fanOutId),
      entryId: `${opening.fanOutId}/opened`,
      lookAtMs: this.nextLook(opening, FIRST_LOOK_MS),
      fields: toFields(opening),
      heldBranches: opening.held.map(({ index, send, change, awaited }) => ({
        number: index,
        send: JSON.stringify(send),
        change: JSON.stringify(change),
        awaited: awaited === undefined ? null : JSON.stringify(awaited),
      })),
    });
    return toEntry(reply);
  }

  /** Records one branch's answer, once. */
  async collect(slot: string, brought: BranchAnswer): Promise<Collected> {
    const { fanOutId, index, messageId, answer, costMicro, tokens } = brought;
    const reply = await collectBranch.run(this.redis, {
      ...this.advanceCall(slot, fanOutId),
      answers: `${this.keys.fanOut(slot, fanOutId)}:answers`,
      entryId: `${messageId}/collected`,
      branch: index,
      messageId,
      answer,
      costMicro,
      tokens,
    });
    return { as: reply.kind, entry: "entry" in reply ? toEntry(reply.entry) : null };
  }

  /**
   * Records observed states of branches.
   *
   * @param seen.force - Starts the join now, for this reason; null: only when due.
   * @returns The effects, already in the slot's outbox; null: none.
   */
  async tend(
    slot: string,
    seen: {
      readonly record: FanOutRecord;
      readonly sights: readonly BranchSight[];
      readonly force: FiredBy | null;
      readonly lookAgainMs: number;
    },
  ): Promise<OutboxEntry | null> {
    const { record, sights, force, lookAgainMs } = seen;
    const reply = await tendFanOut.run(this.redis, {
      ...this.advanceCall(slot, record.fanOutId),
      entryId: `${record.fanOutId}/${uuidv7()}`,
      force,
      lookAtMs: this.nextLook(record, lookAgainMs),
      sights: sights.map(({ index, state, failure }) => ({
        branch: index,
        state: state.charAt(0),
        failure: failure === null ? null : JSON.stringify(failure),
      })),
    });
    return toEntry(reply);
  }

  /** Leases up to `limit` fan-outs that are due for a check. No other process gets them for `leaseMs`. */
  async takeDue(
    slot: string,
    page: { readonly leaseMs: number; readonly limit: number },
  ): Promise<readonly string[]> {
    const nowMs = now();
    return takeDueFanOuts.run(this.redis, {
      fanOuts: this.keys.fanOuts(slot),
      nowMs,
      untilMs: nowMs + page.leaseMs,
      limit: page.limit,
    });
  }

  async find(slot: string, fanOutId: string): Promise<FanOutRecord | null> {
    return toFanOutRecord(fanOutId, await this.redis.hgetall(this.keys.fanOut(slot, fanOutId)));
  }

  /** Returns true if this message waits for branches and is therefore in no queue, as far as this slot knows. */
  async isWaiting(slot: string, messageId: string): Promise<boolean> {
    const [total, fired] = await this.redis.hmget(this.keys.fanOut(slot, messageId), "total", "fired");
    return typeof total === "string" && typeof fired !== "string";
  }

  /** Returns the branches' answers as JSON texts, by branch number. */
  async answers(slot: string, fanOutId: string): Promise<ReadonlyMap<number, string>> {
    const fields = await this.redis.hgetall(`${this.keys.fanOut(slot, fanOutId)}:answers`);
    return new Map(Object.entries(fields).map(([index, text]) => [Number(index), text]));
  }

  /** Expires a fan-out of an ended run after `lifeMs`, so that late branches still find it. */
  async retire(slot: string, fanOutId: string, lifeMs: number): Promise<void> {
    const key = this.keys.fanOut(slot, fanOutId);
    await Promise.all([key, `${key}:held`, `${key}:answers`].map((one) => this.redis.pexpire(one, lifeMs)));
    await this.redis.zrem(this.keys.fanOuts(slot), fanOutId);
  }

  /** Keys and arguments of every script that advances a fan-out. */
  private advanceCall(slot: string, fanOutId: string) {
    const fanOut = this.keys.fanOut(slot, fanOutId);
    return {
      fanOut,
      held: `${fanOut}:held`,
      fanOuts: this.keys.fanOuts(slot),
      outbox: this.keys.outbox(slot),
      fanOutId,
      nowMs: now(),
    };
  }

  private nextLook(
    ends: { readonly deadlineMs: number | null; readonly expiresMs: number | null },
    afterMs: number,
  ): number {
    return Math.min(now() + afterMs, ends.deadlineMs ?? Infinity, ends.expiresMs ?? Infinity);
  }
}

function toEntry(text: string): OutboxEntry | null {
  // `advance` composes it of parts that this store passed.
  return text === "" ? null : (JSON.parse(text) as OutboxEntry);
}
