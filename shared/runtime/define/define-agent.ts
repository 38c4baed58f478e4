import type { StandIn } from "../tools/stand-in-calls.ts";
import type { Logger } from "pino";
import type { z } from "zod";
import { ContextDefinitionError, selectFields } from "#shared/context";
import type { ApprovalDecision, ContextNeeds, CountTokens, ToolCall } from "#shared/context";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import { branchOf, joinOf } from "#shared/envelope";
import type { Envelope, EnvelopeMeta } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { checkGuard } from "#shared/guard";
import type { GuardDeclaration } from "#shared/guard";
import type { ModelTier } from "#shared/model";
import type { BoardBounds } from "#shared/store/boards";
import type { BranchFailure } from "#shared/store/fan-outs";
import type {
  Board,
  HandlerOutcome,
  HandoffOptions,
  ResultOf,
  ModelRequest,
  RemoteAnswer,
  RemoteRequest,
} from "./handler-context.ts";
import type { OnceOptions, Tool } from "../tools/define-tool.ts";
import { checkTerms } from "./task-terms.ts";
import type { NoTerms, Terms } from "./task-terms.ts";
import { AgentDefinitionError } from "../errors.ts";

/** Receivers of an agent, each with the contract it is sent. */
export type Transitions = Readonly<Record<string, Contract>>;

/** The transitions of an agent that hands to nobody. */
export type NoTransitions = { readonly [Name in never]: Contract };

/** Second argument of a handler, besides its input. */
export interface Context<
  To extends Transitions = Transitions,
  Preferences extends Terms = Terms,
  Constraints extends Terms = Terms,
  Capable extends Transitions = Transitions,
> {
  /** The verified envelope of this message. Read-only. */
  readonly envelope: Readonly<Envelope>;
  /** The user's preferences, as the agent declares them. */
  readonly preferences: z.output<Preferences>;
  /** The task's constraints, as the agent declares them. */
  readonly constraints: z.output<Constraints>;
  /** Aborted on timeout, cancellation, lost lock and shutdown. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** Logger; its lines carry trace, run and message ids. */
  readonly log: Logger;
  /** Runs `work` once for this message and records its JSON result; a re-run returns the recorded result. */
  step<Value>(name: string, work: (signal: AbortSignal) => Promise<Value> | Value): Promise<Value>;
  /**
   * Executes one side effect, once per `key` for this agent in this run; with `scope: "agent"`, once in all its runs.
   * Claims the key before `act` runs; `act` gets an idempotency key to pass on to the provider.
   */
  once<Value>(
    key: string,
    act: (idempotencyKey: string, signal: AbortSignal) => Promise<Value>,
    options?: OnceOptions<Value>,
  ): Promise<Value>;
  /**
   * Calls a model and returns its answer as the contract's type. Recorded like a step, so never paid twice. A
   * malformed answer gets first aid, then one re-ask; if it is still malformed it goes to the ward, and its repair is
   * returned here as the recorded answer.
   */
  model<C extends Contract>(step: string, request: ModelRequest<C>): Promise<ContractOutput<C>>;
  /** Asks somebody else than a model, such as a remote agent. Recorded, billed and repaired like a model's answer. */
  remote<C extends Contract>(step: string, request: RemoteRequest<C>): Promise<RemoteAnswer<C>>;
  /**
   * Opens a board of this run: shared entries of its agents. With a contract: `blackboard` of `#shared/patterns`.
   * @param owner.conversation - Uses the board of this conversation of the envelope's user, which outlives the run.
   * @throws {BoardInvalidError} The name (lower-case letters, digits, hyphens, at most 63) or the id (1 to 200
   * characters) is malformed.
   */
  board(name: string, bounds?: Partial<BoardBounds>, owner?: { readonly conversation?: string }): Board;
  /** Returns the answers of a fan-out's branches, at its join. @throws {NothingGatheredError} No branches. */
  gathered(): Gathered;
  /**
   * Returns a person's decision on a tool call, before the tool runs (human in the loop). Without one the message is
   * quarantined, where people see the call; with their decision the handler runs again from its recorded steps. One
   * decision per call.
   */
  approve(call: ToolCall): Promise<ApprovalDecision>;
  /** Returns a token counter for the model of this agent's tier. */
  tokenCounter(): Promise<CountTokens>;
  /** Hands to an agent with a capability, of those at work; one that rejects or is late is replaced by another. */
  handoff<Name extends keyof Capable & string>(
    to: { readonly capability: Name },
    payload: ContractInput<Capable[Name]>,
    options?: HandoffOptions,
  ): HandlerOutcome<never>;
  /** Hands the work to another agent. The team's graph must allow it and the contract must accept the payload. */
  handoff<Name extends keyof To & string>(
    to: Name,
    payload: ContractInput<To[Name]>,
    options?: HandoffOptions,
  ): HandlerOutcome<never>;
  /** Ends the run's branch with a result, which matches the contract that the team declares for it. */
  complete<const Result>(result: Result): HandlerOutcome<Result>;
  /** Rejects the message; the sender's fallbacks are tried. */
  reject(reason: string): HandlerOutcome<never>;
}

/** Results of the branches of one fan-out, as its join gets them. Immutable: later answers are dropped. */
export interface Gathered {
  /** Number of branches. */
  readonly total: number;
  /** True if as many answered as the fan-out requires. */
  readonly isMet: boolean;
  /** Answers by branch number, ascending. Values match the contract that the agent collects. */
  readonly answers: readonly { readonly index: number; readonly agent: string; readonly value: unknown }[];
  /** Branches without an answer, ascending. */
  readonly failures: readonly (BranchFailure & { readonly index: number })[];
}

export interface AgentOptions<
  Accepts extends Contract,
  To extends Transitions,
  Preferences extends Terms = Terms,
  Constraints extends Terms = Terms,
  Capable extends Transitions = Transitions,
  Made extends HandlerOutcome = HandlerOutcome,
> {
  /** Contract of the input, in its newest version. Messages of older versions pass through its upcasters. */
  readonly accepts: Accepts;
  /** Makes the agent a join (fan-in) of branches' results; declared by `join` of `#shared/patterns`. Default: none. */
  readonly collects?: Contract;
  /** With `collects`, when too few branches came back: `fail` ends the run, `handle` goes on. Default `fail`. */
  readonly onUnmet?: "fail" | "handle";
  /**
   * True: clients may send messages to it with `POST /v1/handoffs`, also malformed ones for the surgeon. Default false:
   * only agents that declare it in `to` send to it, and tasks where it is the team's entry.
   */
  readonly outside?: boolean;
  /** Agents it may hand to, each with the contract of the payload: its edges in the team's graph. Default: none. */
  readonly to?: To;
  /** Capabilities that it may hand to without a name, with contracts that all who have them accept. Default: none. */
  readonly toCapable?: Capable;
  /** Handles one message: gets the validated input and the context; returns how the work ends. */
  readonly handle: (
    input: ContractOutput<Accepts>,
    context: Context<To, Preferences, Constraints, Capable>,
  ) => Made | Promise<Made>;
  /** One sentence for the registry and the console. */
  readonly description?: string;
  /** Fields of the user's preferences that it reads, each of which may be absent. Default: none. */
  readonly preferences?: Preferences;
  /** Constraints that it reads, each optional; the runtime's own are in `constraintFields`. Default: none. */
  readonly constraints?: Constraints;
  /** Its capabilities: rejected messages that require one may be rerouted here along an edge. Default: none. */
  readonly capabilities?: readonly string[];
  /** Model that its steps ask; a step may name another. Default `worker`. */
  readonly tier?: ModelTier;
  /** Version of its prompts in the ward's statistics. Default: `1`. */
  readonly promptVersion?: string;
  /** Answers of a rehearsal, by the step name given to `ctx.model`. Default: none. */
  readonly standIns?: Readonly<Record<string, StandIn>>;
  /** Contracts of the model answers it asks for. The surgeon needs them to repair such answers. Default: none. */
  readonly answers?: readonly Contract[];
  /**
   * True: a deployment may stop all its processes while nothing waits for it (scale to zero); the next message waits
   * for a start. Not for joins and agents with capabilities, whose processes are looked for. Default false.
   */
  readonly stopsWhenIdle?: boolean;
  /** Messages handled at once in one process. Default: `SUTURE_CONCURRENCY`. */
  readonly concurrency?: number;
  /** Deliveries before a retryable failure goes to the ward; `Infinity`: no end. Default `SUTURE_DELIVERIES_MAX`. */
  readonly deliveriesMax?: number;
  /** Time limit of one run of the handler (deadline), in ms; `ctx.signal` aborts then. Default 120,000. */
  readonly handlerTimeoutMs?: number;
  /** Maximum handoffs that one message may lead to, branches of a fan-out included. Default 1,000. */
  readonly handoffsMax?: number;
  /** Time to live (TTL) of messages to this agent, in ms. Default: the expiry of the sender's envelope. */
  readonly ttlMs?: number;
  /**
   * By step of `ctx.model`, what its prompt holds: of the input that the handler passes only this is sent. A step
   * that is not named here is refused then. Default: prompts hold what the handler passes.
   */
  readonly needs?: ContextNeeds;
  /** Nominal budget of one prompt in tokens; more than 80 % of it are refused. Default: the model's own limit. */
  readonly contextTokensMax?: number;
  /** By receiver, JSON pointers to the fields that travel; the handler may pass more. Default: all that it passes. */
  readonly passes?: Readonly<Partial<Record<keyof To & string, readonly string[]>>>;
  /** Tools by which it continues open calls (`resumeCalls`); an entry's tasks may bring such calls. Default: none. */
  readonly resumes?: readonly Tool[];
  /** Effects that the agent may cause, and places where text from outside comes in. Default: nothing is watched. */
  readonly guard?: GuardDeclaration;
}

export interface Agent<
  Name extends string = string,
  Accepts extends Contract = Contract,
  To extends Transitions = Transitions,
  Preferences extends Terms = Terms,
  Constraints extends Terms = Terms,
  Capable extends Transitions = Transitions,
  Result = unknown,
> {
  /** `name@version`. */
  readonly id: `${Name}@${number}`;
  readonly name: Name;
  readonly version: number;
  readonly accepts: Accepts;
  readonly to: To;
  readonly options: AgentOptions<Accepts, To, Preferences, Constraints, Capable, HandlerOutcome<Result>>;
}

/** Names that Suture itself uses. */
const RESERVED: readonly string[] = ["gateway", "surgeon", "ward", "console", "runs"];

const ID = /^([a-z][a-z0-9-]{0,62})@([1-9]\d{0,5})$/;

/**
 * Declares an agent.
 *
 * @param id - `name@version`; the name is also the queue's name: lower-case letters, digits, hyphens, at most 63.
 * @throws {AgentDefinitionError} The id is malformed or the name is reserved.
 * @example agent("writer@1", { accepts: Findings, handle: (input, ctx) => ctx.complete({ report: input.text }) })
 */
export function agent<
  const Name extends string,
  Accepts extends Contract,
  // An agent with no transitions has none, rather than any: `{}` is the empty record of the constraint.
  const To extends Transitions = NoTransitions,
  Preferences extends Terms = NoTerms,
  Constraints extends Terms = NoTerms,
  const Capable extends Transitions = NoTransitions,
  Made extends HandlerOutcome = HandlerOutcome,
>(
  id: `${Name}@${number}`,
  options: AgentOptions<Accepts, To, Preferences, Constraints, Capable, Made>,
): Agent<Name, Accepts, To, Preferences, Constraints, Capable, ResultOf<Made>> {
  const match = ID.exec(id);
  if (match === null)
    throw new AgentDefinitionError(id, "its id is not of the form name@version, e.g. triage@1");
  checkOptions(id, options);
  checkTerms(id, options);
  // The pattern has two groups, and the first is the Name of the template type.
  const name = match[1] as Name;
  if (RESERVED.includes(name)) throw new AgentDefinitionError(id, `the name ${name} is reserved`);
  return {
    id,
    name,
    version: Number(match[2]),
    accepts: options.accepts,
    // Absent transitions are the empty record, which is what To defaults to.
    to: options.to ?? ({} as To),
    // An outcome of type Made is one with a result of Made.
    options: options as AgentOptions<
      Accepts,
      To,
      Preferences,
      Constraints,
      Capable,
      HandlerOutcome<ResultOf<Made>>
    >,
  };
}

/** Finds what is wrong with an agent's options. @throws {AgentDefinitionError} */
function checkOptions(
  id: string,
  { needs = {}, passes = {}, guard, contextTokensMax, to = {}, ...options }: Agent["options"],
): void {
  const isLookedFor = options.collects !== undefined || (options.capabilities ?? []).length > 0;
  if (options.stopsWhenIdle === true && isLookedFor)
    throw new AgentDefinitionError(id, "stopsWhenIdle is not for joins and agents with capabilities");
  const receivers = Object.keys(to);
  try {
    selectFields(null, [
      ...Object.values(needs).flatMap((need) => [...need.fields, ...(need.optional ?? [])]),
      ...Object.values(passes).flatMap((fields) => fields ?? []),
    ]);
    for (const receiver of Object.keys(passes)) {
      if (!receivers.includes(receiver))
        throw new ContextDefinitionError(`passes names ${receiver}, to which it does not hand`);
    }
    if (contextTokensMax !== undefined && !(contextTokensMax > 0))
      throw new ContextDefinitionError("contextTokensMax is not above 0");
    if (guard !== undefined) checkGuard(guard, receivers);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    throw new AgentDefinitionError(id, error.message.replace(/\.$/, ""));
  }
}

/** Returns the contract of a message to this agent; answers of branches have their own. */
export function contractFor({ name, accepts, options }: Agent, meta: EnvelopeMeta): Contract {
  const { collects } = options;
  if (collects === undefined || joinOf(meta) !== null) return accepts;
  return branchOf(meta)?.join === name ? collects : accepts;
}
