import { now } from "#shared/clock";
import { askOnce } from "./redis-process.ts";
import type { RedisDoor } from "./redis-process.ts";

const INTERVAL_MS = 2000;
const ASK_LAST_WRITE =
  "EVAL \"return redis.status_reply(redis.call('INFO','persistence'):match('aof_last_write_status:(%a+)'))\" 0";

/**
 * Has a Redis write its append-only file anew once a full disk has room again: in a file that Redis 7 has rewritten, a
 * write that did not fit leaves a hole of zero bytes, from which it does not start.
 */
export class DiskWatch {
  readonly #say: (line: string) => void;
  #lookedAtMs = 0;
  #isFull = false;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Looks again every 2 s at most. */
  async look(at: RedisDoor): Promise<void> {
    if (now() - this.#lookedAtMs < INTERVAL_MS) return;
    this.#lookedAtMs = now();
    const answer = await askOnce(at, ASK_LAST_WRITE);
    if (answer === "+err" && !this.#isFull) {
      this.#isFull = true;
      this.#say("Redis cannot write its file and refuses all writes: is the disk full?");
    }
    if (answer !== "+ok" || !this.#isFull) return;
    // One that is under way began before the disk had room.
    if (!(await askOnce(at, "BGREWRITEAOF")).startsWith("+")) return;
    this.#isFull = false;
    this.#say("Redis writes again; it writes its append-only file anew.");
  }
}
