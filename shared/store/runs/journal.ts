import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { applyEvents, applyHeld } from "../scripts/runs.ts";
import type { EventCall, HELD_VERDICTS, RunsCall } from "../scripts/runs.ts";
import type { OpenedMessage, RunChange } from "./run-event.ts";

/** A message as an agent claims to have it, with those that it opens by what is told of it. */
export interface HeldMessage {
  readonly runId: string;
  readonly messageId: string;
  readonly agent: string;
  readonly opens: readonly OpenedMessage[];
  /** The branch of a fan-out that the record has to say it is of; null for none. Absent: whatever it says. */
  readonly branch?: string | null;
}

/**
 * `repeated`: the same was applied before. `unknown`: the run's record does not have the message, or not yet.
 * `elsewhere`: another agent has it. `strange`: it is of another branch. `settled`: it is over.
 * `taken`: the record has an opened message for another reason.
 */
export type HeldVerdict = (typeof HELD_VERDICTS)[number];

export interface JournalOptions {
  /** How long an ended run stays readable, in ms. */
  readonly retentionMs: number;
  /** Log entries of one run at most; later ones are counted, not kept. Default 5,000. */
  readonly logLengthMax?: number;
}

const LOG_LENGTH_MAX = 5000;
const MICRO = 1_000_000;

/** Runs told of in one script, so that no script holds up Redis for long. */
const RUNS_AT_ONCE_MAX = 64;

/** What is to be told of one run, and who waits for it. */
interface QueuedChanges {
  readonly runId: string;
  readonly changes: readonly RunChange[];
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Writes what happened to the record of its run. Idempotent, in any order.
 *
 * All runs share a slot, so that what one turn of the event loop has to tell of many runs goes as one script.
 */
export class RunJournal {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly options: JournalOptions;
  private queued: QueuedChanges[] = [];

  constructor(redis: RedisClient, keys: Keys, options: JournalOptions) {
    this.redis = redis;
    this.keys = keys;
    this.options = options;
  }

  /** Applies changes, all those of one run in one step, and tells who watches. */
  async apply(changes: readonly RunChange[]): Promise<void> {
    if (changes.length === 0) return;
    await Promise.all([...byRun(changes)].map(([runId, own]) => this.enqueue(runId, own)));
  }

  /**
   * Applies what an agent tells of one message, all of one run, only where the run's own record has the message open
   * at that agent. One script: two entries that both close a message cannot both be believed.
   *
   * @param changes - At least one; the first is about the message itself.
   */
  async applyHeld(held: HeldMessage, changes: readonly RunChange[]): Promise<HeldVerdict> {
    const told = new Map([[held.runId, changes]]);
    return this.askHeld(held, { eventId: changes[0]?.event.id ?? "", told });
  }

  /** Says what `applyHeld` would answer for an event of this id, and applies nothing. */
  async judgeHeld(held: HeldMessage, eventId: string): Promise<HeldVerdict> {
    return this.askHeld(held, { eventId, told: new Map() });
  }

  private async askHeld(
    held: HeldMessage,
    { eventId, told }: { eventId: string; told: ReadonlyMap<string, readonly RunChange[]> },
  ): Promise<HeldVerdict> {
    const record = this.keys.run(held.runId);
    return applyHeld.run(this.redis, {
      ...this.toCall(told),
      messages: `${record}:messages`,
      touches: [record, `${record}:log`],
      messageId: held.messageId,
      agent: held.agent,
      eventId,
      branch: held.branch ?? null,
      isAnyBranch: held.branch === undefined,
      opens: held.opens.map(({ message_id, agent }) => ({ messageId: message_id, agent })),
    });
  }

  private enqueue(runId: string, changes: readonly RunChange[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    // After whatever else this turn has to tell, and before anything new is read.
    if (this.queued.length === 0) process.nextTick(() => this.flush());
    this.queued.push({ runId, changes, done });
    return done.promise;
  }

  private flush(): void {
    const waiting = this.queued;
    this.queued = [];
    for (let from = 0; from < waiting.length; from += RUNS_AT_ONCE_MAX) {
      const some = waiting.slice(from, from + RUNS_AT_ONCE_MAX);
      this.write(some).then(
        () => some.forEach(({ done }) => done.resolve()),
        (error: unknown) => some.forEach(({ done }) => done.reject(error)),
      );
    }
  }

  private async write(queued: readonly QueuedChanges[]): Promise<void> {
    const runs = new Map<string, RunChange[]>();
    for (const { runId, changes } of queued) {
      const told = runs.get(runId);
      if (told === undefined) runs.set(runId, [...changes]);
      else told.push(...changes);
    }
    // All of them named, so that a slot on the move is seen: an event for a record that is elsewhere would be lost.
    const records = [...runs.keys()].map((runId) => this.keys.run(runId));
    const touches = records.flatMap((record) => [record, `${record}:messages`, `${record}:log`]);
    await applyEvents.run(this.redis, { ...this.toCall(runs), touches });
  }

  /** What a script reads that tells runs what happened. */
  toCall(changesByRun: ReadonlyMap<string, readonly RunChange[]>): RunsCall {
    return {
      runCounts: this.keys.runs("counts"),
      runIndex: this.keys.runs("index"),
      runBase: this.keys.run(""),
      channelBase: this.keys.runChannel(""),
      ownerBase: this.keys.runs("owner"),
      retentionMs: this.options.retentionMs,
      logMax: this.options.logLengthMax ?? LOG_LENGTH_MAX,
      runs: [...changesByRun].map(([id, changes]) => ({ id, events: changes.map(toEventCall) })),
    };
  }
}

export function byRun(changes: readonly RunChange[]): ReadonlyMap<string, readonly RunChange[]> {
  const [first] = changes;
  const runId = first?.event.run_id ?? "";
  // Nearly always, they are all of one run.
  if (changes.every(({ event }) => event.run_id === runId)) return new Map([[runId, changes]]);
  return Map.groupBy(changes, ({ event }) => event.run_id);
}

function toEventCall(change: RunChange): EventCall {
  const { event, moves, opens = [] } = change;
  return {
    id: event.id,
    text: JSON.stringify(event),
    messageId: event.message_id,
    rank: moves?.rank ?? 0,
    state: moves?.state ?? null,
    agent: event.agent ?? "",
    branch: change.branch ?? null,
    ending: change.end ?? null,
    result: change.result === undefined ? null : JSON.stringify(change.result),
    error: change.error === undefined ? null : JSON.stringify(change.error),
    cost: Math.round((change.cost ?? 0) * MICRO),
    tokens: change.tokens ?? 0,
    starts: change.starts === true,
    opens: opens.map(({ message_id, agent, branch }) => ({
      messageId: message_id,
      agent,
      branch: branch ?? null,
    })),
  };
}
