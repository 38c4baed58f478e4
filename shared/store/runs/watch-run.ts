import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { shardOf } from "../shards/run-ids.ts";
import { ChannelWatcher } from "../watch-channels.ts";

/** Notifies of changes of a run's record. Like `ChannelWatcher`, it may lose a notification. */
export class RunWatcher {
  private readonly channels: readonly ChannelWatcher[];
  private readonly keys: Keys;

  /** @param subscribers - A dedicated connection for each shard: a subscribed one takes no other commands. */
  constructor(subscribers: readonly RedisClient[], keys: Keys) {
    this.channels = subscribers.map((one) => new ChannelWatcher(one));
    this.keys = keys;
  }

  /** Calls `onChange` at each change until the returned function is called. */
  async watch(runId: string, onChange: () => void): Promise<() => Promise<void>> {
    return this.of(runId).watch(this.keys.runChannel(runId), onChange);
  }

  /** Resolves at the next change, after `timeoutMs`, or when the signal is aborted, whichever is first. */
  async waitForChange(runId: string, wait: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    await this.of(runId).waitForNotice(this.keys.runChannel(runId), wait);
  }

  private of(runId: string): ChannelWatcher {
    const [first] = this.channels;
    const found = this.channels[shardOf(runId)] ?? first;
    if (found === undefined) throw new Error("a watcher of runs was given no connection");
    return found;
  }
}
