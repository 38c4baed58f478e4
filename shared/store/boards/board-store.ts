import { timestamp } from "#shared/clock";
import { writeBoard } from "../scripts/boards.ts";
import type { ReadBy } from "../script-reply.ts";
import type { RedisClient } from "../script.ts";
import { ChannelWatcher } from "../watch-channels.ts";
import { StorePart } from "../store-part.ts";

/** Size limits and lifetime of one board. */
export interface BoardBounds {
  /** Bytes of all entries together, as JSON text. Default 1 MiB. */
  readonly bytesMax: number;
  /** Default 1,000. */
  readonly entriesMax: number;
  /** Writes over the board's life, repeated ones not counted. Default 10,000. */
  readonly writesMax: number;
  /** Time to live after the last write, in ms. Must outlast any pause of its run. Default 7 days. */
  readonly lifeMs: number;
}

export const BOARD_BOUNDS_DEFAULT: BoardBounds = {
  bytesMax: 1024 * 1024,
  entriesMax: 1000,
  writesMax: 10_000,
  lifeMs: 7 * 24 * 3_600_000,
};

export interface BoardEntry {
  /** Number of writes to this entry; 1 after the first. */
  readonly version: number;
  /** `name@version` of the last writer. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly value: unknown;
  /** Taint labels: sources of outside text that its writer had read. Default: none. */
  readonly labels?: readonly string[];
}

/** Snapshot of a board. */
export interface BoardView {
  /** Number of writes to the board; 0 for an empty one. */
  readonly version: number;
  readonly entries: ReadonlyMap<string, BoardEntry>;
}

export interface BoardWrite {
  readonly key: string;
  readonly value: unknown;
  /** Version that the entry must still have (compare-and-set); 0: it must not exist. `any`: overwrite. */
  readonly expects: number | "any";
  /** Idempotency key: a repeated write with the same id changes nothing. */
  readonly writeId: string;
  readonly by: string;
  readonly labels: readonly string[];
}

/** `conflict`: another writer changed the entry; `version` is its present version. */
export type BoardWritten = ReadBy<typeof writeBoard.declared.reply>;

/** Interval at which waiting readers poll, in ms, in case a notification was lost. */
const LOOK_EVERY_MS = 2000;

/** Boards: entries with many writers, each write a compare-and-set. Every board has its own slot. */
export class BoardStore extends StorePart<{ connectAnother(role: "worker"): RedisClient }> {
  private subscriber: RedisClient | undefined;
  private channels: ChannelWatcher | undefined;

  async read(board: string): Promise<BoardView> {
    const fields = await this.redis.hgetall(`${this.keys.board(board)}/entries`);
    const entries = Object.entries(fields).filter(([name]) => name.startsWith("e:"));
    return {
      version: Number(fields["#version"] ?? 0),
      // `write` below produces exactly this form.
      entries: new Map(entries.map(([name, text]) => [name.slice(2), JSON.parse(text) as BoardEntry])),
    };
  }

  /**
   * Writes an entry, and confirms it under `replicated`: the writer's outcome may reach the master that a failover has
   * promoted, and this write only the one before it. @throws {NotReplicatedError}
   */
  async write(board: string, write: BoardWrite, bounds: BoardBounds): Promise<BoardWritten> {
    const { key, value, expects, writeId, by, labels } = write;
    const base = this.keys.board(board);
    const text = JSON.stringify({
      by,
      at: timestamp(),
      value: value ?? null,
      ...(labels.length === 0 ? {} : { labels }),
    });
    const written = await writeBoard.run(this.redis, {
      entries: `${base}/entries`,
      writes: `${base}/writes`,
      entry: key,
      expectedVersion: expects === "any" ? null : expects,
      writeId,
      restOfEntry: text.slice(1),
      ...bounds,
      channel: this.keys.boardChannel(board),
    });
    if (written.kind === "written") await this.store.confirmation.confirm(`${base}/writes`, writeId);
    return written;
  }

  /** Waits until the board's version differs from `since`, or until the timeout. @returns The board at that moment. */
  async waitForChange(
    board: string,
    wait: { readonly since: number; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<BoardView> {
    const signal = AbortSignal.any([wait.signal, AbortSignal.timeout(wait.timeoutMs)]);
    let view = await this.read(board);
    while (view.version === wait.since && !signal.aborted) {
      await this.watcher().waitForNotice(this.keys.boardChannel(board), {
        timeoutMs: LOOK_EVERY_MS,
        signal,
        // The board may have changed before the subscription was active.
        look: async () => (await this.read(board)).version !== wait.since,
      });
      view = await this.read(board);
    }
    return view;
  }

  close(): void {
    this.subscriber?.disconnect();
  }

  /** Opens a connection when the first reader waits. */
  private watcher(): ChannelWatcher {
    this.subscriber ??= this.store.connectAnother("worker");
    this.channels ??= new ChannelWatcher(this.subscriber);
    return this.channels;
  }
}
