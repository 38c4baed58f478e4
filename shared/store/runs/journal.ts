import { applyEvents } from "../scripts/runs.ts";
import type { EventCall, RunsCall, ToldRun } from "../scripts/runs.ts";
import type { RunChange } from "./run-event.ts";
import { StorePart } from "../store-part.ts";

const MICRO = 1_000_000;

/** Maximum runs changed in one script, because a script blocks Redis. */
const RUNS_AT_ONCE_MAX = 64;

/** Changes of one run, and the promise to resolve. */
interface QueuedChanges {
  readonly runId: string;
  readonly changes: readonly RunChange[];
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Applies events to the records of their runs. Idempotent, in any order.
 *
 * All runs share a slot, so the changes of one event-loop turn are sent as one script.
 */
export class RunJournal extends StorePart {
  private queued: QueuedChanges[] = [];

  /** Applies changes, those of one run in one step, and notifies watchers. */
  async apply(changes: readonly RunChange[]): Promise<void> {
    if (changes.length === 0) return;
    await Promise.all([...byRun(changes)].map(([runId, own]) => this.enqueue(runId, own)));
  }

  private enqueue(runId: string, changes: readonly RunChange[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    // Runs after the other changes of this turn, and before new input is read.
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
    // All keys are declared, so that a slot migration is detected: otherwise an event for a moved record would be
    // lost.
    const records = [...runs.keys()].map((runId) => this.keys.run(runId));
    const touches = records.flatMap((record) => [record, `${record}:messages`, `${record}:log`]);
    await applyEvents.run(this.redis, { ...this.keysCall(), runs: toToldRuns(runs), touches });
  }

  /** Keys and arguments of scripts that apply changes to runs. */
  toCall(changes: readonly RunChange[]): RunsCall {
    return { ...this.keysCall(), runs: toToldRuns(byRun(changes)) };
  }

  /** As `toCall`, without changes. */
  keysCall(): Omit<RunsCall, "runs"> {
    return {
      runCounts: this.keys.runs("counts"),
      runIndex: this.keys.runs("index"),
      runBase: this.keys.run(""),
      channelBase: this.keys.runChannel(""),
      ownerBase: this.keys.runs("owner"),
      retentionMs: this.store.options.retentionMs,
      logMax: this.store.bounds.runLogLength,
    };
  }
}

/** Returns changes of runs in the form of scripts. */
export function toToldRuns(changes: ReadonlyMap<string, readonly RunChange[]>): ToldRun[] {
  return [...changes].map(([id, own]) => ({ id, events: own.map(toEventCall) }));
}

export function byRun(changes: readonly RunChange[]): ReadonlyMap<string, readonly RunChange[]> {
  const [first] = changes;
  if (first === undefined) return new Map();
  const runId = first.event.run_id;
  // Common case: all belong to one run.
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
