import type { Keys } from "../keys.ts";
import { Script } from "../script.ts";
import type { RedisClient } from "../script.ts";
import type { RunChange } from "./run-event.ts";

const applyEvents = new Script("apply-events.lua");

export interface JournalOptions {
  /** How long an ended run stays readable, in ms. */
  readonly retentionMs: number;
  /** Log entries of one run at most; later ones are counted, not kept. Default 5,000. */
  readonly logLengthMax?: number;
}

const LOG_LENGTH_MAX = 5000;
const MICRO = 1_000_000;

/** Writes what happened to the record of its run. Idempotent, in any order. */
export class RunJournal {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly options: JournalOptions;

  constructor(redis: RedisClient, keys: Keys, options: JournalOptions) {
    this.redis = redis;
    this.keys = keys;
    this.options = options;
  }

  /** Applies changes, grouped by run, and tells who watches. */
  async apply(changes: readonly RunChange[]): Promise<void> {
    const byRun = Map.groupBy(changes, (change) => change.event.run_id);
    await Promise.all([...byRun].map(([runId, own]) => this.applyToRun(runId, own)));
  }

  private async applyToRun(runId: string, changes: readonly RunChange[]): Promise<void> {
    const run = this.keys.run(runId);
    await applyEvents.run(this.redis, {
      keys: [run, `${run}:messages`, `${run}:log`, this.keys.runs("counts"), this.keys.runs("index")],
      args: [
        runId,
        this.keys.runs("index:"),
        this.options.retentionMs,
        this.options.logLengthMax ?? LOG_LENGTH_MAX,
        changes.length,
        ...changes.flatMap(toArguments),
      ],
    });
    await this.redis.publish(this.keys.runChannel(runId), "changed");
  }
}

function toArguments(change: RunChange): (string | number)[] {
  const { event, moves, opens = [] } = change;
  return [
    event.id,
    JSON.stringify(event),
    event.message_id ?? "",
    moves?.rank ?? 0,
    moves?.state ?? "",
    event.agent ?? "",
    opens.length,
    ...opens.flatMap((opened) => [opened.message_id, opened.agent]),
    change.end ?? "",
    change.result === undefined ? "" : JSON.stringify(change.result),
    change.error === undefined ? "" : JSON.stringify(change.error),
    Math.round((change.cost ?? 0) * MICRO),
    change.tokens ?? 0,
    change.starts === true ? "1" : "0",
  ];
}
