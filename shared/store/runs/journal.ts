import { applyEvents, touchedRuns } from "../scripts/runs.ts";
import type { EventCall, RunsCall, ToldRun } from "../scripts/runs.ts";
import type { RunChange } from "./run-event.ts";
import { StorePart } from "../store-part.ts";

const MICRO = 1_000_000;

/** Applies events to the records of their runs. Idempotent, in any order. */
export class RunJournal extends StorePart {
  /** Applies changes in one step, and notifies watchers. */
  async apply(changes: readonly RunChange[]): Promise<void> {
    if (changes.length === 0) return;
    const call = this.toCall(changes);
    await applyEvents.run(this.redis, { ...call, touches: touchedRuns(call) });
  }

  /** Keys and arguments of scripts that apply changes to runs. */
  toCall(changes: readonly RunChange[]): RunsCall {
    return { ...this.keysCall(), runs: toToldRuns(Map.groupBy(changes, ({ event }) => event.run_id)) };
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
