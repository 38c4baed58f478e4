import { z } from "zod";
import { now } from "#shared/clock";
import { readJson } from "#shared/json";
import { StorePart } from "../store-part.ts";

/** One return of Redis from a snapshot, as a person has ordered it. */
const restoreSchema = z.object({
  /** Time of the snapshot, in ms since the epoch: what happened later is lost. */
  snapshot_ms: z.number(),
  /** Time at which agents were held. */
  begun_ms: z.number(),
  /** Null: agents are held. */
  ended_ms: z.number().nullable(),
  /** Treatment of an effect that is not listed as done: its provider or a person is asked, or it is done. */
  unlisted: z.enum(["ask", "act"]),
  by: z.string(),
});

export type Restore = z.output<typeof restoreSchema>;

/** An effect as a person has listed it. */
const listedSchema = z.discriminatedUnion("kind", [
  /** Its provider or a person is asked. */
  z.object({ kind: z.literal("ask") }),
  /** It had not happened at this time, in ms since the epoch. */
  z.object({ kind: z.literal("undone"), at_ms: z.number() }),
  /** It has happened; `value` is its result as JSON text. */
  z.object({ kind: z.literal("done"), value: z.string() }),
]);

export type ListedEffect = z.output<typeof listedSchema>;

/** Knowledge of an effect whose claim the snapshot may not have. `act`: nothing stands against it. */
export type RestoredEffect = { readonly kind: "act" } | ListedEffect;

const ORDER = "restore";
const RESTORES_MAX = 20;
/** Life of the list of what was done, in ms after its last entry: longer than any task waits. */
const LISTED_MS = 14 * 86_400_000;

/** Returns of Redis from a snapshot: agents are held, tasks live longer by the gap, effects are not done twice. */
export class Restores extends StorePart {
  private known: readonly Restore[] = [];

  /** Reads people's orders. Until then, and without any, all is as if Redis had never been restored. */
  async refresh(): Promise<readonly Restore[]> {
    const text = await this.redis.hget(this.keys.people("orders"), ORDER);
    this.known = z.array(restoreSchema).safeParse(readJson(text ?? "[]")).data ?? [];
    return this.known;
  }

  /** Replaces or adds the last restore. Only the console may. */
  async write(restore: Restore): Promise<void> {
    const others = (await this.refresh()).filter(({ begun_ms }) => begun_ms !== restore.begun_ms);
    const all = [...others, restore].slice(-RESTORES_MAX);
    await this.redis.hset(this.keys.people("orders"), ORDER, JSON.stringify(all));
    this.known = all;
  }

  /** The last restore, as it was last read; null for none. */
  get last(): Restore | null {
    return this.known.at(-1) ?? null;
  }

  /** True while agents take no messages, because a person reconciles what was done since the snapshot. */
  get isHeld(): boolean {
    return this.last !== null && this.last.ended_ms === null;
  }

  /** Returns the time for which a run could not be worked on because of restores, in ms: it expires so much later. */
  extensionMs(runId: string): number {
    return this.known
      .filter(({ snapshot_ms }) => createdMs(runId) <= snapshot_ms)
      .reduce((sum, { snapshot_ms, ended_ms }) => sum + Math.max(0, (ended_ms ?? now()) - snapshot_ms), 0);
  }

  /**
   * Lists effects and tasks of the time that was lost. Only the console may.
   * @param done.effects - By idempotency key.
   * @param done.tasks - Runs by `taskKey`, which repeated requests start again under the same id.
   */
  async list(done: {
    readonly effects: ReadonlyMap<string, ListedEffect>;
    readonly tasks: ReadonlyMap<string, string>;
  }): Promise<void> {
    const effects = [...done.effects].map(([key, one]) => [`effect:${key}`, JSON.stringify(one)] as const);
    const tasks = [...done.tasks].map(([key, runId]) => [`task:${key}`, runId] as const);
    const fields = Object.fromEntries([...effects, ...tasks]);
    const key = this.keys.people("restored");
    if (Object.keys(fields).length > 0)
      await this.redis.multi().hset(key, fields).pexpire(key, LISTED_MS).exec();
  }

  /** Returns how many effects and tasks are listed. */
  countListed(): Promise<number> {
    return this.redis.hlen(this.keys.people("restored"));
  }

  /** Returns what is known of an effect. @param runId - Null: of a whole agent. */
  async effect(runId: string | null, idempotencyKey: string): Promise<RestoredEffect> {
    // Claims of whole agents are kept for the retention: those of before have been forgotten since.
    const bornMs = runId === null ? now() - this.store.options.retentionMs : createdMs(runId);
    const restore = this.known.findLast(({ begun_ms }) => bornMs <= begun_ms);
    if (restore === undefined) return { kind: "act" };
    const value = await this.redis.hget(this.keys.people("restored"), `effect:${idempotencyKey}`);
    if (value === null) return { kind: restore.unlisted };
    // One that cannot be read is asked about.
    return listedSchema.safeParse(readJson(value)).data ?? { kind: "ask" };
  }

  /** Returns the run that a lost request had started; null if none is listed. @param key - As of `taskKey`. */
  async lostRun(key: string): Promise<string | null> {
    return this.last === null ? null : this.redis.hget(this.keys.people("restored"), `task:${key}`);
  }
}

const TIME_DIGITS = 12;

/** Time in a run's UUIDv7, in ms since the epoch. */
function createdMs(runId: string): number {
  return Number.parseInt(runId.replace("-", "").slice(0, TIME_DIGITS), 16);
}
