import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { ChannelWatcher } from "../watch-channels.ts";

/** Tells when a run's record changed. As `ChannelWatcher`: a notice may be lost. */
export class RunWatcher {
  private readonly channels: ChannelWatcher;
  private readonly keys: Keys;

  /** @param subscriber - A connection of its own: it can do nothing else while it listens. */
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
