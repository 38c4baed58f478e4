import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";

/**
 * Tells when a run's record changed, over one shared subscriber connection. A notice may be lost when the connection
 * breaks, so that who waits must also look by itself now and then; nothing durable depends on it.
 */
export class RunWatcher {
  private readonly subscriber: RedisClient;
  private readonly keys: Keys;
  private readonly listeners = new Map<string, Set<() => void>>();

  /** @param subscriber - A connection of its own: it can do nothing else while it listens. */
  constructor(subscriber: RedisClient, keys: Keys) {
    this.subscriber = subscriber;
    this.keys = keys;
    subscriber.on("message", (channel: string) => {
      for (const listener of this.listeners.get(channel) ?? []) listener();
    });
  }

  /** Calls `onChange` at each change until the returned function is called. */
  async watch(runId: string, onChange: () => void): Promise<() => Promise<void>> {
    const channel = this.keys.runChannel(runId);
    const present = this.listeners.get(channel);
    const own = present ?? new Set<() => void>();
    own.add(onChange);
    if (present === undefined) {
      this.listeners.set(channel, own);
      await this.subscriber.subscribe(channel);
    }
    return async () => {
      own.delete(onChange);
      if (own.size > 0 || this.listeners.get(channel) !== own) return;
      this.listeners.delete(channel);
      await this.subscriber.unsubscribe(channel);
    };
  }

  /** Resolves at the next change, after `timeoutMs`, or when the signal is aborted, whichever is first. */
  async waitForChange(runId: string, wait: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    let wake = (): void => undefined;
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stop = await this.watch(runId, wake);
    const timer = setTimeout(wake, wait.timeoutMs);
    wait.signal.addEventListener("abort", wake, { once: true });
    try {
      if (!wait.signal.aborted) await changed;
    } finally {
      clearTimeout(timer);
      wait.signal.removeEventListener("abort", wake);
      await stop();
    }
  }
}
