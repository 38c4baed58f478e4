import { ContractRegistry } from "#shared/contract";
import type { Contract, ContractInput } from "#shared/contract";
import type { FailureClass } from "#shared/errors";
import type { SensitiveKind } from "#shared/guard";
import { resolveCapable, createMatrix, HANDOFF_TYPE_DEFAULT } from "./check-team.ts";
import type { Agent } from "./define-agent.ts";
import { TeamDefinitionError } from "../errors.ts";
import type { ResultOf } from "./handler-context.ts";
import type { HandoffMatrix } from "./check-team.ts";
import { joinTerms } from "./task-terms.ts";
import type { TeamTerms } from "./task-terms.ts";

/** Excludes characters that have a meaning in Mermaid. */
const HANDOFF_TYPE = /^[a-z][a-z0-9_.-]{0,63}$/;

/** An allowed transition in a team's graph. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly contract: string;
  /** Allowed handoff types, the default first. */
  readonly types: readonly string[];
  /** True: a run may return along this edge to an agent already in its path. */
  readonly loop: boolean;
  /** Agents tried in order when the receiver rejects. */
  readonly fallbacks: readonly string[];
}

/** Limit failures: they are never repaired; a team declares whether they end the run or wait for a person. */
export type LimitClass = Extract<FailureClass, "expired" | "hop_limit" | "loop_detected" | "budget_exceeded">;

export interface TeamOptions<Result extends Contract = Contract, Entry extends string = string> {
  /** Entry agent, which receives tasks. Default: the first. */
  readonly entry?: Entry;
  /** One sentence for the registry and the console. */
  readonly description?: string;
  /** Edges `from>to` along which a run may return to an agent already in its path (loops). Default: none. */
  readonly loops?: readonly string[];
  /** By edge `from>to`: the agents tried in order when the receiver rejects. Default: none. */
  readonly fallbacks?: Readonly<Record<string, readonly string[]>>;
  /** By edge `from>to`: allowed handoff types, the default first; others are refused. Default: `task_delegation`. */
  readonly handoffTypes?: Readonly<Record<string, readonly string[]>>;
  /**
   * Treatment of a message that failed for good: `heal` sends it to the ward (DLQ), `end` ends its run with the
   * failure's class and code. Forged, unsafe and poison messages are quarantined in both cases. Default `heal`.
   */
  readonly onFailure?: "heal" | "end";
  /** By limit failure: ends the run, or quarantines the message. Default: `expired` ends, the others quarantine. */
  readonly onLimit?: Readonly<Partial<Record<LimitClass, "end" | "quarantine">>>;
  /**
   * Converts a task given as text (Agent Protocol) to the entry's input. Pure; leave out fields that the text does not
   * contain, and the client gets a validation error. Default: fills the one text field of the entry's contract.
   */
  readonly readText?: (text: string) => unknown;
  /**
   * Contract of its results: every `ctx.complete` of its agents is checked against it, and clients get their results
   * with its type. It is no message. Default: results are any JSON, of unknown type.
   */
  readonly result?: Result;
  /** Kinds of sensitive data redacted from results before they leave the team. Default: none. */
  readonly redacts?: readonly SensitiveKind[];
  /** Default time to live (TTL) of its tasks, in ms; null: never expire. Default: `SUTURE_TASK_LIFE_HOURS`, a day. */
  readonly ttlMs?: number | null;
  /** Maximum hops of a run; one more is `hop_limit`. Default: 10, at most 200. */
  readonly hopsMax?: number;
  /** Maximum model cost of a run, in USD; more is `budget_exceeded`. Default: 1. */
  readonly costLimit?: number;
  /** Maximum tokens of a run (token budget); more is `budget_exceeded`. Default: 100,000. */
  readonly tokenLimit?: number;
  /** Maximum handoffs of a run in messages with several, as fan-outs; more is `budget_exceeded`. Default 10,000. */
  readonly handoffsMax?: number;
}

export interface Team<Name extends string = string, Input = unknown, Result = unknown> {
  readonly name: Name;
  /** Never set: carries the types of its tasks, for `TeamsOf` of the client. */
  readonly types?: { readonly input: Input; readonly result: Result };
  readonly entry: Agent;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly edges: readonly Edge[];
  /** Allowed handoff types by receiver and sender. */
  readonly matrix: HandoffMatrix;
  readonly contracts: ContractRegistry;
  /** Preferences and constraints that its tasks may carry. */
  readonly terms: TeamTerms;
  readonly options: TeamOptions;
}

// Accepts any concrete agent. oxlint cannot see that method parameters keep plain `Agent` from it.
export type AnyAgent = Pick<Agent, "id" | "name" | "version" | "accepts" | "to"> & {
  readonly options: object;
};

/** The agent that tasks go to: the one that the options name, else the first. */
type EntryOf<Agents extends readonly AnyAgent[], Entry extends string> = string extends Entry
  ? Agents[0]
  : Extract<Agents[number], { readonly name: Entry }>;

type InputOf<Entry> = Entry extends { readonly accepts: infer Accepts extends Contract }
  ? ContractInput<Accepts>
  : unknown;

/** Names that an agent hands to; `never` where only the running program knows them. */
type ReceiversOf<Member> = Member extends { readonly to: infer To }
  ? string extends keyof To
    ? never
    : keyof To & string
  : never;

/** Results that an agent completes with; `never` where its handler's type does not say. */
type ResultsOf<Member> = Member extends { readonly options: { handle(...args: never): infer Made } }
  ? unknown extends ResultOf<Awaited<Made>>
    ? never
    : ResultOf<Awaited<Made>>
  : never;

/** A value as JSON has it: nothing is read-only. */
type Written<Value> = Value extends readonly (infer Item)[]
  ? Written<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Written<Value[Key]> }
    : Value;

/** Fault of an agent in its team, in words for the compiler's message; `never` if there is none. */
type ProblemOf<Member, Names extends string, Result> = Member extends AnyAgent
  ? [Exclude<ReceiversOf<Member>, Names>] extends [never]
    ? [Written<ResultsOf<Member>>] extends [Written<Result>]
      ? never
      : `${Member["name"]} completes with what is not the result that the team declares`
    : `${Member["name"]} hands to ${Exclude<ReceiversOf<Member>, Names>}, which is no agent of this team`
  : never;

/** Demands nothing of agents that fit, and of others what no agent is. */
type Fitting<Problem> = [Problem] extends [never] ? unknown : Problem;

/**
 * Declares a team: agents, and the transitions between them, as declared in `to`. @throws {TeamDefinitionError} A
 * transition leads nowhere or to another contract, agents share a name, an option names an unknown edge.
 */
export function team<
  const Name extends string,
  const Agents extends readonly AnyAgent[],
  // Without the option, its type is inferred to be the constraint's: results are unknown.
  Result extends Contract = Contract,
  const Entry extends string = string,
>(
  name: Name,
  agents: Agents & Fitting<ProblemOf<Agents[number], Agents[number]["name"], ContractInput<Result>>>,
  options: TeamOptions<Result, Entry> = {},
): Team<Name, InputOf<EntryOf<Agents, Entry>>, ContractInput<Result>> {
  const declared = new Map<string, Agent>();
  for (const member of agents) {
    if (declared.has(member.name))
      throw new TeamDefinitionError(name, `two agents are called ${member.name}`);
    // The runtime only calls `handle` with input that `accepts` has parsed.
    declared.set(member.name, member as Agent);
  }
  const byName = resolveCapable(name, declared);
  const entry = byName.get(options.entry ?? agents[0]?.name ?? "");
  if (entry === undefined) throw new TeamDefinitionError(name, "its entry agent is not one of its agents");
  const edges = [...byName.values()].flatMap((from) =>
    Object.entries(from.to).map(([to, contract]) => checkEdge(name, byName, from, to, contract, options)),
  );
  checkEdgeOptions(name, byName, edges, options);
  const matrix = createMatrix({ agents: byName.keys(), edges, entry: entry.name });
  return {
    name,
    entry,
    agents: byName,
    edges,
    matrix,
    contracts: collectContracts(byName),
    terms: joinTerms(name, byName.values()),
    options,
  };
}

function checkEdge(
  teamName: string,
  byName: ReadonlyMap<string, Agent>,
  from: Agent,
  to: string,
  contract: Contract,
  options: TeamOptions,
): Edge {
  const key = `${from.name}>${to}`;
  const receiver = byName.get(to);
  if (receiver === undefined)
    throw new TeamDefinitionError(teamName, `${key} leads to an agent it does not have`);
  const { accepts, options: own } = receiver;
  const taken = own.collects === undefined ? [accepts] : [accepts, own.collects];
  if (!taken.some(({ name, version }) => name === contract.name && contract.version <= version)) {
    const ids = taken.map(({ id }) => id).join(" and ");
    throw new TeamDefinitionError(
      teamName,
      `${key} hands on ${contract.id}, but ${receiver.id} accepts ${ids}`,
    );
  }
  return {
    from: from.name,
    to,
    contract: contract.id,
    types: options.handoffTypes?.[key] ?? [HANDOFF_TYPE_DEFAULT],
    loop: options.loops?.includes(key) ?? false,
    fallbacks: options.fallbacks?.[key] ?? [],
  };
}

function checkEdgeOptions(
  teamName: string,
  byName: ReadonlyMap<string, Agent>,
  edges: readonly Edge[],
  options: TeamOptions,
): void {
  const known = new Set(edges.map((edge) => `${edge.from}>${edge.to}`));
  const named = [
    ...(options.loops ?? []),
    ...Object.keys(options.fallbacks ?? {}),
    ...Object.keys(options.handoffTypes ?? {}),
  ];
  for (const key of named) {
    if (!known.has(key)) throw new TeamDefinitionError(teamName, `${key} is not one of its transitions`);
  }
  for (const [key, types] of Object.entries(options.handoffTypes ?? {})) {
    const wrong = types.length === 0 ? "" : types.find((type) => !HANDOFF_TYPE.test(type));
    if (wrong === undefined) continue;
    const problem = wrong === "" ? "has no type of handoff" : `has ${wrong}, which is no word`;
    throw new TeamDefinitionError(teamName, `${key} ${problem}`);
  }
  for (const [key, fallbacks] of Object.entries(options.fallbacks ?? {})) {
    const receiver = byName.get(key.slice(key.indexOf(">") + 1));
    for (const fallback of fallbacks) {
      if (byName.get(fallback)?.accepts.name !== receiver?.accepts.name) {
        throw new TeamDefinitionError(
          teamName,
          `fallback ${fallback} of ${key} does not accept its contract`,
        );
      }
    }
  }
}

function collectContracts(byName: ReadonlyMap<string, Agent>): ContractRegistry {
  const registry = new ContractRegistry();
  for (const member of byName.values()) {
    const { answers = [], collects } = member.options;
    const own = [
      member.accepts,
      ...(collects === undefined ? [] : [collects]),
      ...Object.values(member.to),
      ...answers,
    ];
    for (const contract of own) registry.add(contract);
  }
  return registry;
}
