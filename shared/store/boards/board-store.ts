import { followSignals, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { writeBoard } from "../scripts/boards.ts";
import type { RedisClient } from "../script.ts";
import { ChannelWatcher } from "../watch-channels.ts";

/** How much one board holds, and for how long. */
export interface BoardBounds {
  /** Of all entries, as JSON text. Default 1 MiB. */
  readonly bytesMax: number;
  /** Default 1,000. */
  readonly entriesMax: number;
  /** Over the board's life, repeats apart. Default 10,000. */
  readonly writesMax: number;
  /** From the last write until the board is gone, in ms. Longer than its run may lie still. Default 7 days. */
  readonly lifeMs: number;
}

export const BOARD_BOUNDS_DEFAULT: BoardBounds = {
  bytesMax: 1024 * 1024,
  entriesMax: 1000,
  writesMax: 10_000,
  lifeMs: 7 * 24 * 3_600_000,
};

export interface BoardEntry {
  /** Writes of this entry so far; 1 is the first. */
  readonly version: number;
  /** `name@version` of who wrote it last. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly value: unknown;
  /** Of text from outside that its writer had read. Default: none. */
  readonly labels?: readonly string[];
}

/** A board at one moment. */
export interface BoardView {
  /** Writes to the board so far; 0 for an empty one. */
  readonly version: number;
  readonly entries: ReadonlyMap<string, BoardEntry>;
}

export interface BoardWrite {
  readonly key: string;
  readonly value: unknown;
  /** The version that the entry must still have; 0: none. `any` writes over whatever is there. */
  readonly expects: number | "any";
  /** The same write, made again, is the same: it changes nothing. */
  readonly writeId: string;
  readonly by: string;
  readonly labels: readonly string[];
}

export type BoardWritten =
  | { readonly kind: "written"; readonly version: number }
  /** Somebody else wrote meanwhile; `version` is what there is now. */
  | { readonly kind: "conflict"; readonly version: number }
  | { readonly kind: "full"; readonly of: "bytes" | "entries" | "writes" };

/** Between two looks of who waits, in case a notice was lost, in ms. */
const LOOK_EVERY_MS = 2000;

/** Boards: entries that many write, each write compared with what its writer read, in a slot of their own each. */
export class BoardStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly connect: () => RedisClient;
  private subscriber: RedisClient | undefined;
  private channels: ChannelWatcher | undefined;

  /** @param connect - Opens a further connection, for the first who waits. */
  constructor(parts: { readonly redis: RedisClient; readonly keys: Keys }, connect: () => RedisClient) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.connect = connect;
  }

  async read(board: string): Promise<BoardView> {
    const fields = await this.redis.hgetall(`${this.keys.board(board)}/entries`);
    const entries = Object.entries(fields).filter(([name]) => name.startsWith("e:"));
    return {
      version: Number(fields["#version"] ?? 0),
      // Written by `write` below in this very form.
      entries: new Map(entries.map(([name, text]) => [name.slice(2), JSON.parse(text) as BoardEntry])),
    };
  }

  async write(board: string, write: BoardWrite, bounds: BoardBounds): Promise<BoardWritten> {
    const { key, value, expects, writeId, by, labels } = write;
    const base = this.keys.board(board);
    const text = JSON.stringify({
      by,
      at: timestamp(),
      value: value ?? null,
      ...(labels.length === 0 ? {} : { labels }),
    });
    return writeBoard.run(this.redis, {
      entries: `${base}/entries`,
      writes: `${base}/writes`,
      entry: key,
      expectedVersion: expects === "any" ? null : expects,
      writeId,
      restOfEntry: text.slice(1),
      ...bounds,
      channel: this.keys.boardChannel(board),
    });
  }

  /**
   * Waits until the board is at another version than `since`, or the time is over.
   *
   * @returns The board as it is then.
   */
  async waitForChange(
    board: string,
    wait: { readonly since: number; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<BoardView> {
    const { signal, abort, letGo } = followSignals([wait.signal]);
    const timer = setTimeout(() => abort(new Error("the time to wait is over")), wait.timeoutMs);
    try {
      let view = await this.read(board);
      while (view.version === wait.since && !signal.aborted) {
        await this.watcher().waitForNotice(this.keys.boardChannel(board), {
          timeoutMs: LOOK_EVERY_MS,
          signal,
          // It may have changed before it was listened to.
          look: async () => (await this.read(board)).version !== wait.since,
        });
        view = await this.read(board);
      }
      return view;
    } finally {
      clearTimeout(timer);
      letGo();
    }
  }

  close(): void {
    this.subscriber?.disconnect();
  }

  private watcher(): ChannelWatcher {
    if (this.channels !== undefined) return this.channels;
    this.subscriber = this.connect();
    this.channels = new ChannelWatcher(this.subscriber);
    return this.channels;
  }
}
