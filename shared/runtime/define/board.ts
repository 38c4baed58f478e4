import type { BoardEntry, BoardView, BoardWritten } from "#shared/store/boards";

/** A board of a run: entries that its agents read and write together. */
export interface Board {
  read(): Promise<BoardView>;
  /**
   * Writes one entry, if it is still at the version that the writer read. Once for this message and step: a re-run
   * finds it done.
   *
   * @throws {BoardFullError} It would pass a bound of the board.
   */
  write(
    step: string,
    write: { readonly key: string; readonly value: unknown; readonly expects: number | "any" },
  ): Promise<Exclude<BoardWritten, { readonly kind: "full" }>>;
  /**
   * Changes one entry, however many others change it at the same time: reads it, asks `change` for its next value, and
   * writes that if nobody was quicker; else from the beginning. Once for this message and step.
   *
   * @returns the version that this write made.
   * @throws {BoardFullError} @throws {BoardContendedError} Others were quicker a hundred times.
   */
  update(step: string, key: string, change: (current: BoardEntry | null) => unknown): Promise<number>;
  /** Waits until the board is at another version than `since`, at most `timeoutMs`. */
  waitForChange(wait: { readonly since: number; readonly timeoutMs: number }): Promise<BoardView>;
}
