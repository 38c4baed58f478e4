import type { Keys } from "../keys.ts";
import { ARGUMENTS_JOINED, Script } from "../script.ts";
import type { RedisClient } from "../script.ts";
import type { OpenedMessage, RunChange } from "./run-event.ts";

const applyEvents = new Script("apply-events.lua", [ARGUMENTS_JOINED, "apply-to-runs.lua"]);
const applyHeld = new Script("apply-held.lua", [ARGUMENTS_JOINED, "apply-to-runs.lua"]);

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
const HELD_VERDICTS = ["applied", "repeated", "unknown", "elsewhere", "strange", "settled", "taken"] as const;

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
    const reply = await applyHeld.run(this.redis, {
      keys: [...this.scriptKeys, record, `${record}:messages`, `${record}:log`],
      args: [
        held.messageId,
        held.agent,
        eventId,
        String(held.opens.length),
        ...held.opens.flatMap(({ message_id, agent }) => [message_id, agent]),
        held.branch === undefined ? "*" : (held.branch ?? ""),
        ...this.toScriptArguments(told),
      ],
    });
    return HELD_VERDICTS.find((verdict) => verdict === reply) ?? "unknown";
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
    const keys = records.flatMap((record) => [record, `${record}:messages`, `${record}:log`]);
    await applyEvents.run(this.redis, {
      keys: [...this.scriptKeys, ...keys],
      args: this.toScriptArguments(runs),
    });
  }

  /** The counts and the index, for scripts that tell runs. */
  get scriptKeys(): string[] {
    return [this.keys.runs("counts"), this.keys.runs("index")];
  }

  /** What `applyToRuns` reads. */
  toScriptArguments(runs: ReadonlyMap<string, readonly RunChange[]>): string[] {
    return [
      this.keys.run(""),
      this.keys.runChannel(""),
      String(this.options.retentionMs),
      String(this.options.logLengthMax ?? LOG_LENGTH_MAX),
      String(runs.size),
      ...[...runs].flatMap(([runId, changes]) => [
        runId,
        String(changes.length),
        ...changes.flatMap(toArguments),
      ]),
    ];
  }
}

export function byRun(changes: readonly RunChange[]): ReadonlyMap<string, readonly RunChange[]> {
  const [first] = changes;
  const runId = first?.event.run_id ?? "";
  // Nearly always, they are all of one run.
  if (changes.every(({ event }) => event.run_id === runId)) return new Map([[runId, changes]]);
  return Map.groupBy(changes, ({ event }) => event.run_id);
}

function toArguments(change: RunChange): string[] {
  const { event, moves, opens = [] } = change;
  return [
    event.id,
    JSON.stringify(event),
    event.message_id ?? "",
    String(moves?.rank ?? 0),
    moves?.state ?? "",
    placeOf({ agent: event.agent ?? "", branch: change.branch }),
    String(opens.length),
    ...opens.flatMap((opened) => [opened.message_id, placeOf(opened)]),
    change.end ?? "",
    change.result === undefined ? "" : JSON.stringify(change.result),
    change.error === undefined ? "" : JSON.stringify(change.error),
    String(Math.round((change.cost ?? 0) * MICRO)),
    String(change.tokens ?? 0),
    change.starts === true ? "1" : "0",
  ];
}

/** Where a message is, as its run's record keeps it: the agent, and behind it the branch if there is one. */
function placeOf({ agent, branch }: Pick<OpenedMessage, "agent"> & { branch?: string | undefined }): string {
  return branch === undefined ? agent : `${agent}|${branch}`;
}
