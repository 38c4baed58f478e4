import { z } from "zod";
import { checkPayload, contract } from "#shared/contract";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { AnyAgent, Context, StandIn, Transitions } from "#shared/runtime";
import { FanOutInvalidError } from "./errors.ts";
import { fanOut } from "./fan-out.ts";
import type { FanOutPolicy } from "./fan-out.ts";
import { join } from "./join.ts";

type Maybe<Value> = Value | Promise<Value>;

export interface MapReduceOptions<Accepts extends Contract, Item extends Contract, Part extends Contract> {
  /** Contract of the task that is split. */
  readonly accepts: Accepts;
  /** What one document is handed on as. */
  readonly item: Item;
  /** What is made of one, and of several parts again. */
  readonly part: Part;
  /** Returns the items that are handled one by one. */
  readonly split: (input: ContractOutput<Accepts>, ctx: Context) => Maybe<readonly ContractInput<Item>[]>;
  /** Makes a part of one item. */
  readonly map: (item: ContractOutput<Item>, ctx: Context) => Maybe<ContractInput<Part>>;
  /** Makes one part of 2 to `fanIn`, in the order of the documents. Asked again of what it made. */
  readonly reduce: (parts: readonly ContractOutput<Part>[], ctx: Context) => Maybe<ContractInput<Part>>;
  /** The run's result. `missing`: places of documents of which no part came. Default: the part itself. */
  readonly finish?: (
    part: ContractOutput<Part> | null,
    rest: { readonly missing: readonly number[]; readonly ctx: Context },
  ) => unknown;
  /** Parts that are reduced into one at a time. Integer, at least 2. Default 8. */
  readonly fanIn?: number;
  /** Documents, or groups of parts, under way at once. Default 10. */
  readonly window?: number;
  /** For the documents; parts are always waited for. Default `all`. */
  readonly policy?: FanOutPolicy;
  /** Contracts of answers that `split`, `map` and `reduce` ask a model for, and who answers in rehearsal. */
  readonly answers?: readonly Contract[];
  /** Answers in a rehearsal, by step name. Default: none. */
  readonly standIns?: Readonly<Record<string, StandIn>>;
}

/** The agents of a pattern that is several of them, and what its team has to declare for it. */
export interface Crew {
  /** The first takes the task. */
  readonly agents: readonly AnyAgent[];
  /** For the team's `loops`. */
  readonly loops: readonly string[];
}

const FAN_IN = 8;
const WINDOW = 10;

/**
 * Map and reduce over documents, as four agents: `<name>` splits, `<name>-map` handles one document, `<name>-reduce`
 * makes one part of several, `<name>-gather` brings them together, level by level, until one is left. The tree is as
 * wide as `fanIn` says, so that no model is ever shown more than that. Each level is a fan-out, and as durable.
 *
 * Every level is a hop: with 50 documents and a fan-in of 8 a run takes 5.
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
  const asks = {
    ...(options.answers === undefined ? {} : { answers: options.answers }),
    ...(options.standIns === undefined ? {} : { standIns: options.standIns }),
  };
  // The names are made here, so that which of them takes what cannot be said in types; the runtime checks it.
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
      // Checked against the part's own schema, as one of a list.
      const own = parts as readonly ContractOutput<Part>[];
      // What is left over when the others are grouped goes up as it is.
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

/** Parts for one reduction. A newer form of the part is a newer form of the group, so that older groups are lifted. */
function groupOf(name: string, part: Contract, fanIn: number) {
  const { upcast } = part.options;
  const schema = z.object({ parts: z.array(part.schema).min(1).max(fanIn) });
  if (upcast === undefined) return contract(`${name}.group@${part.version}`, schema);
  return contract(`${name}.group@${part.version}`, schema, {
    upcast: (previous) => ({ parts: olderGroup.parse(previous).parts.map((one) => upcast(one)) }),
  });
}

const olderGroup = z.object({ parts: z.array(z.unknown()) });

/** The one part that is left when all are few enough. */
async function lastOf<Part extends Contract>(
  { part, reduce }: Pick<MapReduceOptions<Contract, Contract, Part>, "part" | "reduce">,
  parts: readonly ContractOutput<Part>[],
  ctx: Context,
): Promise<ContractOutput<Part> | null> {
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 ? only : checkPayload(part, await reduce(parts, ctx));
}

/** As few groups as hold all, none larger than `size`, all of a size but for one. Pure. */
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
