import type { RedisClient } from "./script.ts";

/** Waits for pub/sub notices over one connection. Notices may be lost: callers also poll. */
export class ChannelWatcher {
  private readonly subscriber: RedisClient;
  private readonly listeners = new Map<string, Set<() => void>>();

  /** @param subscriber - A dedicated connection, because a subscribed one takes no other commands. */
  constructor(subscriber: RedisClient) {
    this.subscriber = subscriber;
    subscriber.on("message", (channel: string) => {
      for (const listener of this.listeners.get(channel) ?? []) listener();
    });
  }

  /** Calls `onNotice` at each notification until the returned function is called. */
  async watch(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
    const present = this.listeners.get(channel);
    const own = present ?? new Set<() => void>();
    own.add(onNotice);
    if (present === undefined) {
      this.listeners.set(channel, own);
      await this.subscriber.subscribe(channel);
    }
    return async () => {
      own.delete(onNotice);
      if (own.size > 0 || this.listeners.get(channel) !== own) return;
      this.listeners.delete(channel);
      await this.subscriber.unsubscribe(channel);
    };
  }

  /** Resolves at the next notice, after `timeoutMs`, or aborted. @param wait.look - True if nothing is to wait for. */
  async waitForNotice(
    channel: string,
    wait: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly look?: () => Promise<boolean>;
    },
  ): Promise<void> {
    const noticed = Promise.withResolvers<void>();
    const wake = (): void => noticed.resolve();
    const stop = await this.watch(channel, wake);
    const timer = setTimeout(wake, wait.timeoutMs);
    wait.signal.addEventListener("abort", wake, { once: true });
    try {
      if (!wait.signal.aborted && (await wait.look?.()) !== true) await noticed.promise;
    } finally {
      clearTimeout(timer);
      wait.signal.removeEventListener("abort", wake);
      await stop();
    }
  }
}
