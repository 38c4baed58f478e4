import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { ChannelWatcher } from "../watch-channels.ts";

/** Notifies of changes of a run's record. Like `ChannelWatcher`, it may lose a notification. */
export class RunWatcher {
  private readonly channels: ChannelWatcher;
  private readonly keys: Keys;

  /** @param subscriber - A dedicated connection, because a subscribed one takes no other commands. */
  constructor(subscriber: RedisClient, keys: Keys) {
    this.channels = new ChannelWatcher(subscriber);
    this.keys = keys;
  }

  /** Calls `onChange` at each change until the returned function is called. */
  async watch(runId: string, onChange: () => void): Promise<() => Promise<void>> {
    return this.channels.watch(this.keys.runChannel(runId), onChange);
  }

  /** Resolves at the next change, after `timeoutMs`, or when the signal is aborted, whichever is first. */
  async waitForChange(runId: string, wait: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    await this.channels.waitForNotice(this.keys.runChannel(runId), wait);
  }
}
