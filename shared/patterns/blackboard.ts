import { checkPayload } from "#shared/contract";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import type { Context } from "#shared/runtime";
import type { BoardBounds } from "#shared/store/boards";

/** One entry of a board, of its contract. */
export interface Entry<C extends Contract> {
  /** Writes of this entry so far; 1 is the first. */
  readonly version: number;
  /** `name@version` of who wrote it last. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly value: ContractOutput<C>;
}

/** A board at one moment. */
export interface View<C extends Contract> {
  /** Writes to the board so far; 0 for an empty one. */
  readonly version: number;
  readonly entries: ReadonlyMap<string, Entry<C>>;
}

/** A board whose entries keep a contract, when they are written and when they are read. */
export interface Blackboard<C extends Contract> {
  read(): Promise<View<C>>;
  /**
   * Writes one entry, if it is still at the version that was read; 0 is none, `any` asks for nothing. Once for this
   * message and step, so that a re-run finds it done.
   *
   * @returns false when somebody else wrote meanwhile: read again, and decide again.
   */
  write(
    step: string,
    write: { readonly key: string; readonly value: ContractInput<C>; readonly expects: number | "any" },
  ): Promise<boolean>;
  /** Changes one entry, however many others do so at the same time; `change` may be asked several times. */
  update(
    step: string,
    key: string,
    change: (current: ContractOutput<C> | null) => ContractInput<C>,
  ): Promise<void>;
  /** Waits until somebody has written since `view`, at most `timeoutMs`; gives what there is then. */
  waitForChange(view: Pick<View<C>, "version">, timeoutMs: number): Promise<View<C>>;
}

/**
 * The board of this name in the run of a handler: a memory that its agents share. No write is lost to another, however
 * many write at once, and none is made twice by a crash. It is gone with its age, a day after its last write by
 * default.
 *
 * @throws {BoardInvalidError} The name is malformed.
 * @throws from its functions: {PayloadInvalidError | PayloadContentError} a value that is not of the contract,
 * {BoardFullError} a bound of the board, {BoardContendedError}.
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
    /** Makes it the board of this conversation of the run's user, through all of its runs. Default: the run's. */
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
