import { z } from "zod";
import { checkPayload, contract } from "#shared/contract";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { AnyAgent, Context, StandIn, Transitions } from "#shared/runtime";
import { FanOutInvalidError } from "./errors.ts";
import { fanOut, join } from "./fan-out.ts";
import type { FanOutPolicy } from "./fan-out.ts";

type Maybe<Value> = Value | Promise<Value>;

export interface MapReduceOptions<Accepts extends Contract, Item extends Contract, Part extends Contract> {
  /** Contract of the task. */
  readonly accepts: Accepts;
  /** Contract of one document. */
  readonly item: Item;
  /** Contract of a mapped document and of a reduction of several. */
  readonly part: Part;
  /** Splits the task into documents. */
  readonly split: (input: ContractOutput<Accepts>, ctx: Context) => Maybe<readonly ContractInput<Item>[]>;
  /** Maps one document to a part. */
  readonly map: (item: ContractOutput<Item>, ctx: Context) => Maybe<ContractInput<Part>>;
  /** Reduces 2 to `fanIn` parts to one, in document order. Also receives its own results. */
  readonly reduce: (parts: readonly ContractOutput<Part>[], ctx: Context) => Maybe<ContractInput<Part>>;
  /** Makes the run's result. `missing`: indexes of documents without a part. Default: the part itself. */
  readonly finish?: (
    part: ContractOutput<Part> | null,
    rest: { readonly missing: readonly number[]; readonly ctx: Context },
  ) => unknown;
  /** Maximum number of parts in one reduction. Integer, at least 2. Default 8. */
  readonly fanIn?: number;
  /** Maximum number of concurrent documents or reductions. Default 10. */
  readonly window?: number;
  /** Fan-out policy of the documents; parts are always waited for. Default `all`. */
  readonly policy?: FanOutPolicy;
  /** Contracts of the model answers that `split`, `map` and `reduce` ask for. */
  readonly answers?: readonly Contract[];
  /** Answers in a rehearsal, by step name. Default: none. */
  readonly standIns?: Readonly<Record<string, StandIn>>;
}

/** The agents of a pattern, and what their team must declare for it. */
export interface Crew {
  /** The first agent takes the task. */
  readonly agents: readonly AnyAgent[];
  /** For the team's `loops`. */
  readonly loops: readonly string[];
}

const FAN_IN = 8;
const WINDOW = 10;

/**
 * Map-reduce over documents, as four agents: `<name>` splits, `<name>-map` handles one document, `<name>-reduce`
 * reduces several parts to one, `<name>-gather` collects them level by level until one is left. `fanIn` bounds how
 * much one model call sees. Each level is a durable fan-out, and one hop: a run over 50 documents with a fan-in of 8
 * takes 5.
 *
 * @throws {FanOutInvalidError} `fanIn` is no integer of at least 2.
 * @example
 * const digest = mapReduce("digest", { accepts: Docs, item: Doc, part: Summary, split, map, reduce });
 * export default team("digests", digest.agents, { loops: digest.loops });
 */
export function mapReduce<Accepts extends Contract, Item extends Contract, Part extends Contract>(
  name: string,
  options: MapReduceOptions<Accepts, Item, Part>,
): Crew {
  const { accepts, item, part, fanIn = FAN_IN, window = WINDOW, policy = "all" } = options;
  if (!Number.isInteger(fanIn) || fanIn < 2)
    throw new FanOutInvalidError("fanIn", "is no integer of at least 2");
  const names = { map: `${name}-map`, reduce: `${name}-reduce`, gather: `${name}-gather` };
  const Level = contract(`${name}.level@1`, z.object({ level: z.int(), missing: z.array(z.int()) }));
  const Group = groupOf(name, part, fanIn);
  const asks = { answers: options.answers ?? [], standIns: options.standIns ?? {} };
  // The names are computed, so the types cannot say which agent takes what; the runtime checks it.
  const toMap: Transitions = { [names.map]: item, [names.gather]: Level };
  const toGather: Transitions = { [names.gather]: part };
  const toReduce: Transitions = { [names.reduce]: Group, [names.gather]: Level };
  const { finish = (one: ContractOutput<Part> | null): unknown => one } = options;

  const split = agent(`${name}@1`, {
    accepts,
    ...asks,
    to: toMap,
    handle: async (input, ctx) =>
      fanOut({
        branches: (await options.split(input, ctx)).map((one) => ctx.handoff(names.map, one)),
        join: ctx.handoff(names.gather, { level: 0, missing: [] }),
        window,
        policy,
      }),
  });
  const map = agent(`${names.map}@1`, {
    accepts: item,
    ...asks,
    to: { [names.gather]: part },
    handle: async (one, ctx) => ctx.handoff(names.gather, await options.map(one, ctx)),
  });
  const reduce = agent(`${names.reduce}@1`, {
    accepts: Group,
    ...asks,
    to: toGather,
    handle: async ({ parts }, ctx) => {
      // The group's schema contains the part's schema.
      const own = parts as readonly ContractOutput<Part>[];
      // A group of one passes unchanged.
      const [only] = own;
      return ctx.handoff(names.gather, own.length === 1 ? only : await options.reduce(own, ctx));
    },
  });
  const gather = join(`${names.gather}@1`, {
    accepts: Level,
    collects: part,
    ...asks,
    to: toReduce,
    handle: async ({ level, missing }, { answers, failures }, ctx) => {
      const parts = answers.map(({ value }) => value);
      const absent = level === 0 ? failures.map(({ index }) => index) : missing;
      if (parts.length > fanIn)
        return fanOut({
          branches: groupsOf(parts, fanIn).map((group) => ctx.handoff(names.reduce, { parts: group })),
          join: ctx.handoff(names.gather, { level: level + 1, missing: absent }),
          window,
        });
      return ctx.complete(await finish(await lastOf(options, parts, ctx), { missing: absent, ctx }));
    },
  });
  return {
    agents: [split, map, reduce, gather],
    loops: [`${names.reduce}>${names.gather}`, `${names.gather}>${names.gather}`],
  };
}

/** Contract of one reduction's parts. It has the part's version and upcasts with it. */
function groupOf(name: string, part: Contract, fanIn: number) {
  const { upcast } = part.options;
  const schema = z.object({ parts: z.array(part.schema).min(1).max(fanIn) });
  if (upcast === undefined) return contract(`${name}.group@${part.version}`, schema);
  return contract(`${name}.group@${part.version}`, schema, {
    upcast: (previous) => ({ parts: olderGroup.parse(previous).parts.map((one) => upcast(one)) }),
  });
}

const olderGroup = z.object({ parts: z.array(z.unknown()) });

async function lastOf<Part extends Contract>(
  { part, reduce }: Pick<MapReduceOptions<Contract, Contract, Part>, "part" | "reduce">,
  parts: readonly ContractOutput<Part>[],
  ctx: Context,
): Promise<ContractOutput<Part> | null> {
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 ? only : checkPayload(part, await reduce(parts, ctx));
}

/** Splits into the fewest groups of at most `size`, evenly. Pure. */
export function groupsOf<Value>(values: readonly Value[], size: number): Value[][] {
  const count = Math.ceil(values.length / size);
  const least = Math.floor(values.length / count);
  const larger = values.length % count;
  let from = 0;
  return Array.from({ length: count }, (_, group) => {
    const to = from + least + (group < larger ? 1 : 0);
    const own = values.slice(from, to);
    from = to;
    return own;
  });
}
