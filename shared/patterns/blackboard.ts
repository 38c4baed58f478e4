import { z } from "zod";
import { checkPayload, contract } from "#shared/contract";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { Context, HandlerOutcome, Transitions } from "#shared/runtime";
import type { BoardBounds } from "#shared/store/boards";
import { ControlShellError } from "./errors.ts";
import type { Crew } from "./map-reduce.ts";

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
   * Writes one entry if it is still at the expected version; 0 expects none, `any` skips the check. A re-run does not
   * write twice. @returns false after a concurrent write: read and decide again.
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

/** One writer's turn, as it travels. */
const turnSchema = z.object({
  turn: z.int().min(1),
  writer: z.string(),
  because: z.string(),
});

export type Turn = z.output<typeof turnSchema>;

/** The next writer, or the result. */
export type Choice = { readonly writer: string; readonly because?: string } | { readonly finish: unknown };

export interface ControlShellOptions<Accepts extends Contract, EntryContract extends Contract> {
  readonly accepts: Accepts;
  readonly entry: EntryContract;
  /** Plain names of the writing agents. Each accepts the shell's `turn` and hands it back to `<name>-shell`. */
  readonly writers: readonly string[];
  /** Writes the task to the board. */
  readonly begin: (
    input: ContractOutput<Accepts>,
    board: Blackboard<EntryContract>,
    ctx: Context,
  ) => Promise<void>;
  /** Picks the next writer: called at the beginning and after each turn. Its model calls are recorded steps. */
  readonly choose: (
    view: View<EntryContract>,
    at: { readonly turn: number; readonly left: number; readonly ctx: Context },
  ) => Choice | Promise<Choice>;
  /** Maximum number of turns. Integer, at least 1. Default 10. */
  readonly turnsMax?: number;
  readonly bounds?: Partial<BoardBounds>;
}

export interface ControlShell<EntryContract extends Contract> extends Crew {
  /** Contract that writers accept and hand back. */
  readonly turn: Contract<typeof turnSchema>;
  /** For the team's `hopsMax`: each turn is two hops. */
  readonly hopsMax: number;
  /** Opens the board in a writer's handler. */
  readonly board: (ctx: Pick<Context, "board">) => Blackboard<EntryContract>;
}

const TURNS_MAX = 10;

/**
 * Declares a blackboard's control shell, as two agents: `<name>` writes the task, `<name>-shell` picks the next writer,
 * turn by turn, until it finishes. Each turn is a handoff, so a crash resumes in its turn.
 * @throws {ControlShellError} No writers, or `turnsMax` is no integer of at least 1.
 */
export function controlShell<Accepts extends Contract, EntryContract extends Contract>(
  name: string,
  options: ControlShellOptions<Accepts, EntryContract>,
): ControlShell<EntryContract> {
  const { accepts, entry, writers, turnsMax = TURNS_MAX, bounds } = options;
  if (writers.length === 0) throw new ControlShellError(name, "it has no writers");
  if (!Number.isInteger(turnsMax) || turnsMax < 1)
    throw new ControlShellError(name, "turnsMax is no integer of at least 1");
  const shell = `${name}-shell`;
  const turn = contract(`${name}.turn@1`, turnSchema, { description: "One writer's turn at the board." });
  const to: Transitions = Object.fromEntries(writers.map((writer) => [writer, turn]));
  const board = (ctx: Pick<Context, "board">): Blackboard<EntryContract> =>
    blackboard(ctx, { name, entry, ...(bounds === undefined ? {} : { bounds }) });

  const next = async (turns: number, ctx: Context): Promise<HandlerOutcome> => {
    const left = turnsMax - turns;
    const choice = await options.choose(await board(ctx).read(), { turn: turns + 1, left, ctx });
    if ("finish" in choice) return ctx.complete(choice.finish);
    if (left === 0) throw new ControlShellError(name, `it is not finished after ${turnsMax} turns`);
    const { writer, because = "" } = choice;
    if (!writers.includes(writer))
      throw new ControlShellError(name, `it picks ${writer.slice(0, 64)}, which is none of its writers`);
    return ctx.handoff(writer, { turn: turns + 1, writer, because });
  };
  const opening = agent(`${name}@1`, {
    accepts,
    to,
    handle: async (input, ctx) => {
      await options.begin(input, board(ctx), ctx);
      return next(0, ctx);
    },
  });
  const picking = agent(`${shell}@1`, {
    accepts: turn,
    to,
    handle: (done, ctx) => next(done.turn, ctx),
  });
  return {
    agents: [opening, picking],
    loops: writers.flatMap((writer) => [`${writer}>${shell}`, `${shell}>${writer}`]),
    turn,
    hopsMax: 2 * turnsMax + 1,
    board,
  };
}
