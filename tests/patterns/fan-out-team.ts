import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import type { FanOutOptions } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { AgentOptions, Team, TeamOptions } from "#shared/runtime";

export const Order = contract("order@1", z.object({ n: z.int() }));
export const Piece = contract("piece@1", z.object({ n: z.int(), note: z.string() }));
export const Made = contract("made@1", z.object({ n: z.int(), double: z.number() }));
export const Brief = contract("brief@1", z.object({ of: z.int() }));

type Work = AgentOptions<typeof Piece, { merge: typeof Made }>;

export interface FanOutTeamOptions {
  readonly fan?: Partial<Omit<FanOutOptions, "branches" | "join">>;
  /** Handler of a branch. Default: brings back twice its number. */
  readonly work?: Work["handle"];
  readonly workMore?: Partial<Work>;
  readonly onUnmet?: "fail" | "handle";
  /** The payload of a branch. Default: its number and no note. */
  readonly piece?: (n: number) => { n: number; note: string };
  readonly team?: TeamOptions;
  readonly handoffsMax?: number;
}

/** Input of a join. */
export interface Joined {
  readonly total: number;
  readonly isMet: boolean;
  readonly answers: readonly { readonly index: number; readonly value: { readonly double: number } }[];
  readonly failures: readonly { readonly index: number; readonly reason: string; readonly code?: string }[];
}

/** A team that cuts an order into pieces, works on each, and merges what comes back; `joined` is what its join saw. */
export function createFanOutTeam(options: FanOutTeamOptions = {}): {
  readonly team: Team;
  readonly joined: readonly Joined[];
} {
  const joined: Joined[] = [];
  const piece = options.piece ?? ((n: number) => ({ n, note: "" }));
  const cut = agent("cut@1", {
    accepts: Order,
    to: { work: Piece, merge: Brief },
    ...(options.handoffsMax === undefined ? {} : { handoffsMax: options.handoffsMax }),
    handle: (input, ctx) =>
      fanOut({
        branches: Array.from({ length: input.n }, (_, n) => ctx.handoff("work", piece(n))),
        join: ctx.handoff("merge", { of: input.n }),
        ...options.fan,
      }),
  });
  const work = agent("work@1", {
    accepts: Piece,
    to: { merge: Made },
    concurrency: 20,
    handle: options.work ?? (({ n }, ctx) => ctx.handoff("merge", { n, double: 2 * n })),
    ...options.workMore,
  });
  const merge = join("merge@1", {
    accepts: Brief,
    collects: Made,
    concurrency: 20,
    ...(options.onUnmet === undefined ? {} : { onUnmet: options.onUnmet }),
    handle: (input, branches, ctx) => {
      joined.push(branches);
      const sum = branches.answers.reduce((total, { value }) => total + value.double, 0);
      return ctx.complete({ of: input.of, sum, answered: branches.answers.length });
    },
  });
  return { team: team("shop", [cut, work, merge], options.team), joined };
}

/** Work that cannot be done for some pieces. */
export function failOn(bad: readonly number[]): Pick<FanOutTeamOptions, "work" | "workMore"> {
  return {
    workMore: { deliveriesMax: 1 },
    work: ({ n }, ctx) => {
      if (bad.includes(n)) throw new Error("cannot be done");
      return ctx.handoff("merge", { n, double: 2 * n });
    },
  };
}

/** Sum of the pieces of an order of `n`. */
export function sumOf(n: number): number {
  return Math.max(0, n * (n - 1));
}
