import type { Keys } from "../keys.ts";
import { raiseMark } from "../scripts/people.ts";
import type { RedisClient } from "../script.ts";

/** Marks remembered in this process; the oldest goes for a new one. */
const REMEMBERED_MAX = 10_000;

/**
 * How far each subject has come: a number by subject that only rises. What was signed for a lower one is older than
 * what was done since. Kept in a slot that surgeon and console alone write, and remembered by each process as long as
 * it lives.
 */
export class HighWater {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly remembered = new Map<string, number>();

  constructor({ redis, keys }: { readonly redis: RedisClient; readonly keys: Keys }) {
    this.redis = redis;
    this.keys = keys;
  }

  /**
   * Raises a mark, unless it is as high already.
   *
   * @param about.lifeMs - How long it is kept. Default: for ever.
   */
  async raise(subject: string, about: { readonly to: number; readonly lifeMs?: number }): Promise<void> {
    if ((this.remembered.get(subject) ?? 0) >= about.to) return;
    await raiseMark.run(this.redis, {
      mark: this.keys.mostRecent(subject),
      to: about.to,
      lifeMs: about.lifeMs ?? null,
    });
    this.remember(subject, about.to);
  }

  /** Returns the mark of a subject; 0 where it has none. */
  async of(subject: string): Promise<number> {
    return (await this.ofEach([subject]))[0] ?? 0;
  }

  /** Returns the marks of some subjects, in their order. */
  async ofEach(subjects: readonly string[]): Promise<number[]> {
    if (subjects.length === 0) return [];
    const texts = await this.redis.mget(...subjects.map((subject) => this.keys.mostRecent(subject)));
    return subjects.map((subject, i) => this.remember(subject, Number(texts[i] ?? 0)));
  }

  /** @returns The highest that this process knows of. */
  private remember(subject: string, mark: number): number {
    const most = Math.max(mark, this.remembered.get(subject) ?? 0);
    if (most === 0) return 0;
    this.remembered.delete(subject);
    this.remembered.set(subject, most);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > REMEMBERED_MAX && oldest !== undefined) this.remembered.delete(oldest);
    return most;
  }
}
