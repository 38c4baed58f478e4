import type { BoardEntry, BoardView, BoardWritten } from "#shared/store/boards";

/** A board of a run: entries that its agents read and write together. */
export interface Board {
  read(): Promise<BoardView>;
  /**
   * Writes one entry if it still has the version that was read (compare-and-set). Once per message and step: a re-run
   * does not write again.
   *
   * @throws {BoardFullError} It would exceed a limit of the board.
   */
  write(
    step: string,
    write: { readonly key: string; readonly value: unknown; readonly expects: number | "any" },
  ): Promise<Exclude<BoardWritten, { readonly kind: "full" }>>;
  /**
   * Updates one entry under contention: reads it, calls `change` for its next value, writes that, and retries on
   * conflict. Once per message and step.
   *
   * @returns The version that this write made.
   * @throws {BoardFullError}
   * @throws {BoardContendedError} A hundred attempts had conflicts.
   */
  update(step: string, key: string, change: (current: BoardEntry | null) => unknown): Promise<number>;
  /** Waits until the board's version differs from `since`, at most `timeoutMs`. */
  waitForChange(wait: { readonly since: number; readonly timeoutMs: number }): Promise<BoardView>;
}
