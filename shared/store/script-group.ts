import { runByDigest } from "./script.ts";
import type { CallOf, Declaration, RedisClient, Script, Sent } from "./script.ts";
import type { ReadBy } from "./script-reply.ts";

/** Calls in one script at most, because it blocks Redis. */
const CALLS_MAX = 16;
/** Characters of their arguments at most. A call with more goes alone. */
const CHARACTERS_MAX = 256 * 1024;

interface Waiting {
  readonly sent: Sent;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the calls of a script that one turn of the event loop makes as one script (group commit): Redis syncs its file
 * once for all of them, and the process writes and reads once. Each is apart from the others' errors.
 */
export class ScriptGroup<const D extends Declaration & { readonly grouped: true }> {
  private readonly script: Script<D>;
  private readonly redis: RedisClient;
  private readonly isGrouped: boolean;
  private waiting: Waiting[] = [];
  private characters = 0;

  /**
   * @param redis - On a cluster all keys of all calls are in one slot.
   * @param isGrouped - False: each call goes alone, which is faster where no write waits for a disk.
   */
  constructor(script: Script<D>, redis: RedisClient, isGrouped: boolean) {
    this.script = script;
    this.redis = redis;
    this.isGrouped = isGrouped;
  }

  /** Runs the script with others, like `Script.run`. */
  async run(call: CallOf<D>): Promise<ReadBy<D["reply"]>> {
    if (!this.isGrouped) return this.script.run(this.redis, call);
    const sent = this.script.toSent(call);
    const characters = sent.args.reduce<number>((sum, one) => sum + String(one).length, 0);
    if (this.waiting.length >= CALLS_MAX || this.characters + characters > CHARACTERS_MAX) this.flush();
    // After all that this turn goes on with: `setImmediate` would cost a lone call a round of the loop.
    if (this.waiting.length === 0) process.nextTick(() => this.flush());
    this.characters += characters;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.waiting.push({ sent, resolve, reject });
    return this.script.read(await promise);
  }

  private flush(): void {
    const calls = this.waiting;
    this.waiting = [];
    this.characters = 0;
    if (calls.length === 0) return;
    this.send(calls.map(({ sent }) => sent)).then(
      (replies) => {
        for (const [i, { resolve, reject }] of calls.entries()) {
          const reply = replies[i];
          if (reply instanceof Error) reject(reply);
          else resolve(reply);
        }
      },
      (error: unknown) => {
        for (const { reject } of calls) reject(error);
      },
    );
  }

  /** Sends calls. @returns A reply for each, or its error. */
  private async send(calls: readonly Sent[]): Promise<readonly unknown[]> {
    const { single, group } = this.script.sources;
    const keys = calls.flatMap((call) => call.keys);
    if (group === null || calls.length === 1) {
      const args = calls.flatMap((call) => call.args);
      return [await runByDigest(this.redis, single, [keys.length, ...keys, ...args])];
    }
    const args = calls.flatMap((call) => [call.keys.length, call.args.length, ...call.args]);
    // `run-calls.lua` answers with as many replies.
    return (await runByDigest(this.redis, group, [keys.length, ...keys, ...args])) as readonly unknown[];
  }
}
