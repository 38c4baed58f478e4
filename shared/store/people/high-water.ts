import type { Keys } from "../keys.ts";
import { raiseMark } from "../scripts/people.ts";
import type { RedisClient } from "../script.ts";

/** Maximum marks cached in this process; the oldest is dropped. */
const REMEMBERED_MAX = 10_000;

/**
 * High-water marks: a number by subject that only rises, against replay of old signed records. Anything signed with a
 * lower number is outdated. Kept in a slot that only surgeon and console write, and cached for the life of the
 * process.
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
   * Raises a mark; does nothing if it is as high.
   *
   * @param about.lifeMs - Time to live, in ms. Default: none.
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

  /** Caches a mark. @returns The highest value that this process has seen. */
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
