import { now, uuidv7 } from "#shared/clock";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { toToldRuns } from "../runs/journal.ts";
import type { RunJournal } from "../runs/journal.ts";
import { collectBranch, tendFanOut } from "../scripts/fan-outs.ts";
import type { OpeningCall } from "../scripts/fan-outs.ts";
import { takeDue } from "../scripts/runs.ts";
import { toFanOutRecord, toFields } from "./fan-out-record.ts";
import type { BranchFailure, FanOutOpening, FanOutRecord, FiredBy, HeldBranch } from "./fan-out-record.ts";
import { StorePart } from "../store-part.ts";

/** Delay of the first check of a fan-out without events, in ms after its opening. */
const FIRST_LOOK_MS = 1000;

/** Life of branches that are written and whose fan-out is not opened, in ms. */
const STAGED_MS = 600_000;

/** Characters of branches that are written in one command. */
const PAGE_CHARS = 256_000;

/** Branches that one script starts, with those that a coordinator starts itself: of 20 kB each, under 5 ms of Redis. */
export const STARTS_MAX = 16;

/** Answer of one branch. */
interface BranchAnswer {
  readonly runId: string;
  readonly fanOutId: string;
  readonly index: number;
  readonly messageId: string;
  /** JSON text. */
  readonly answer: string;
  /** Money that the run has spent, as far as the branch knows; the fan-out subtracts what was spent before it. */
  readonly costMicro: number;
  readonly tokens: number;
}

/** State of an answer that came in. Only `counted` ones are delivered to the join. */
export type Collected = "counted" | "late" | "duplicate" | "too_large" | "unknown";

/** Observed state of a branch that has not answered. */
export interface BranchSight {
  readonly index: number;
  readonly state: "started" | "parked" | "failed";
  readonly failure: BranchFailure | null;
}

/** Fan-outs, each kept by its joining agent. A change is one script, which also starts branches or frees the join. */
export class FanOutStore extends StorePart<{
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
}> {
  /**
   * Writes the held branches of a fan-out that is about to be opened, in pages under a key of this attempt: one script
   * with all of them would hold up Redis.
   * @returns What the script that settles opens the fan-out by.
   */
  async stage(opening: FanOutOpening): Promise<OpeningCall> {
    const key = this.keys.fanOut(opening.join, opening.fanOutId);
    const staged = `${key}:staged:${uuidv7()}`;
    for (const page of pagesOf(opening.held.map((branch) => [branch.index, this.textOf(branch)]))) {
      await this.redis.hset(staged, Object.fromEntries(page));
      await this.redis.pexpire(staged, STAGED_MS);
    }
    return {
      key,
      staged,
      held: opening.held.length,
      index: this.keys.fanOuts(opening.join),
      id: opening.fanOutId,
      lookAtMs: this.nextLook(
        { deadlineMs: opening.terms.deadline || null, expiresMs: opening.terms.expires || null },
        opening.held.length > 0 ? 0 : FIRST_LOOK_MS,
      ),
      fields: {
        ...toFields(opening),
        message: toText(this.store.queues.toCall(opening.message)),
      },
    };
  }

  /** A held branch as `advance-fan-out.lua` reads it. */
  private textOf({ send, change }: HeldBranch): string {
    return toText({
      job: this.store.queues.toCall(send),
      run: toToldRuns(new Map([[change.event.run_id, [change]]]))[0],
    });
  }

  /** Records one branch's answer, once. */
  async collect(join: string, brought: BranchAnswer): Promise<Collected> {
    const { runId, fanOutId, index, messageId, answer, costMicro, tokens } = brought;
    const reply = await collectBranch.run(this.redis, {
      ...this.advanceCall(join, { runId, fanOutId }),
      answers: `${this.keys.fanOut(join, fanOutId)}:answers`,
      branch: index,
      messageId,
      answer,
      costMicro,
      tokens,
    });
    return reply.kind;
  }

  /** Records states of branches. @param seen.force - Why the join starts now, or null. @returns More may start. */
  async tend(
    join: string,
    seen: {
      readonly record: FanOutRecord;
      readonly sights: readonly BranchSight[];
      readonly force: FiredBy | null;
      readonly lookAgainMs: number;
    },
  ): Promise<boolean> {
    const { record, sights, force, lookAgainMs } = seen;
    return tendFanOut.run(this.redis, {
      ...this.advanceCall(join, record),
      force,
      lookAtMs: this.nextLook(record, lookAgainMs),
      sights: sights.map(({ index, state, failure }) => ({
        branch: index,
        state: state.charAt(0),
        failure: failure === null ? null : JSON.stringify(failure),
      })),
    });
  }

  /** Leases up to `limit` fan-outs that are due for a check. No other process gets them for `leaseMs`. */
  async takeDue(
    slot: string,
    page: { readonly leaseMs: number; readonly limit: number },
  ): Promise<readonly string[]> {
    return takeDue.run(this.redis, { due: this.keys.fanOuts(slot), nowMs: now(), ...page });
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
  private advanceCall(
    join: string,
    { runId, fanOutId }: { readonly runId: string; readonly fanOutId: string },
  ) {
    const fanOut = this.keys.fanOut(join, fanOutId);
    const run = this.keys.run(runId);
    return {
      touches: [
        ...["", ":messages", ":log"].map((part) => run + part),
        ...["wait", "marker", fanOutId].map((name) => this.keys.job(join, name)),
      ],
      fanOut,
      held: `${fanOut}:held`,
      fanOuts: this.keys.fanOuts(join),
      fanOutId,
      nowMs: now(),
      startsMax: STARTS_MAX,
      ...this.store.journal.keysCall(),
    };
  }

  private nextLook(
    ends: { readonly deadlineMs: number | null; readonly expiresMs: number | null },
    afterMs: number,
  ): number {
    return Math.min(now() + afterMs, ends.deadlineMs ?? Infinity, ends.expiresMs ?? Infinity);
  }
}

/** JSON without nulls, which Lua would read as values. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (one === null ? undefined : one));
}

/** Parts texts by number into pages of at most `PAGE_CHARS`, or of one text. */
function pagesOf(texts: readonly (readonly [number, string])[]): (readonly [number, string])[][] {
  const pages: (readonly [number, string])[][] = [];
  let size = Infinity;
  for (const one of texts) {
    size += one[1].length;
    if (size > PAGE_CHARS) {
      pages.push([]);
      size = one[1].length;
    }
    pages.at(-1)?.push(one);
  }
  return pages;
}
