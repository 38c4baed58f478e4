import { checkPayload } from "#shared/contract";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import type { Context } from "#shared/runtime";
import type { BoardBounds } from "#shared/store/boards";

/** One entry of a board, of its contract. */
export interface Entry<C extends Contract> {
  /** Number of writes of this entry; 1 is the first. */
  readonly version: number;
  /** `name@version` of the last writer. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly value: ContractOutput<C>;
}

/** A snapshot of a board. */
export interface View<C extends Contract> {
  /** Number of writes to the board; 0 for an empty one. */
  readonly version: number;
  readonly entries: ReadonlyMap<string, Entry<C>>;
}

/** A board whose entries are checked against a contract when they are written and when they are read. */
export interface Blackboard<C extends Contract> {
  read(): Promise<View<C>>;
  /**
   * Writes one entry if it is still at the expected version (compare and set); 0 expects none, `any` skips the check.
   * Recorded by message and step, so that a re-run does not write twice.
   * @returns false after a concurrent write: read and decide again.
   */
  write(
    step: string,
    write: { readonly key: string; readonly value: ContractInput<C>; readonly expects: number | "any" },
  ): Promise<boolean>;
  /** Updates one entry, and retries after concurrent writes; `change` may run several times. */
  update(
    step: string,
    key: string,
    change: (current: ContractOutput<C> | null) => ContractInput<C>,
  ): Promise<void>;
  /** Waits for a write after `view`, at most `timeoutMs`, and returns the current view. */
  waitForChange(view: Pick<View<C>, "version">, timeoutMs: number): Promise<View<C>>;
}

/**
 * Opens a board (shared memory) of the handler's run. Concurrent writes are never lost, and a crash repeats none. A
 * board expires a day after its last write by default.
 *
 * @throws {BoardInvalidError} The name is malformed.
 * @throws from its functions: {PayloadInvalidError | PayloadContentError} for a value that breaks the contract,
 * {BoardFullError} at a limit of the board, {BoardContendedError}.
 * @example
 * const board = blackboard(ctx, { name: "report", entry: Section });
 * await board.update("add-source", "sources", (now) => ({ urls: [...(now?.urls ?? []), url] }));
 */
export function blackboard<C extends Contract>(
  ctx: Pick<Context, "board">,
  options: {
    readonly name: string;
    readonly entry: C;
    readonly bounds?: Partial<BoardBounds>;
    /** Shares the board between all runs of this conversation of the run's user. Default: one board a run. */
    readonly conversation?: string;
  },
): Blackboard<C> {
  const { entry, conversation } = options;
  const board = ctx.board(
    options.name,
    options.bounds ?? {},
    conversation === undefined ? {} : { conversation },
  );
  const typed = (view: Awaited<ReturnType<typeof board.read>>): View<C> => ({
    version: view.version,
    entries: new Map(
      [...view.entries].map(([key, one]) => [key, { ...one, value: checkPayload(entry, one.value) }]),
    ),
  });
  const checked = (value: unknown): unknown => {
    checkPayload(entry, value);
    return value;
  };
  return {
    read: async () => typed(await board.read()),
    async write(step, { key, value, expects }) {
      const written = await board.write(step, { key, value: checked(value), expects });
      return written.kind === "written";
    },
    async update(step, key, change) {
      await board.update(step, key, (current) =>
        checked(change(current === null ? null : checkPayload(entry, current.value))),
      );
    },
    waitForChange: async ({ version }, timeoutMs) =>
      typed(await board.waitForChange({ since: version, timeoutMs })),
  };
}
