import type { Logger } from "pino";
import type { ApprovalDecision, ContextNeeds, CountTokens, ToolCall } from "#shared/context";
import { ContextDefinitionError, selectFields } from "#shared/context";
import type { Contract, ContractInput, ContractOutput } from "#shared/contract";
import type { Conversation, Envelope } from "#shared/envelope";
import { checkGuard } from "#shared/guard";
import type { GuardDeclaration } from "#shared/guard";
import { SutureError } from "#shared/errors";
import type { ModelImage, ModelTier } from "#shared/model";
import type { BoardBounds } from "#shared/store/boards";
import type { BranchFailure } from "#shared/store/fan-outs";
import type { Board } from "./board.ts";
import { AgentDefinitionError } from "../errors.ts";
import type { ModelRequest } from "./model-request.ts";
import { RESERVED_AGENT_NAMES } from "./reserved-names.ts";

/** The agents that one agent may hand to, each with the contract it will be sent. */
export type Transitions = Readonly<Record<string, Contract>>;

/** A finished piece of work the run may end with, or one handoff. What a handler returns; nothing else ends it. */
export type HandlerOutcome =
  | { readonly kind: "completed"; readonly result: unknown }
  | { readonly kind: "handed_off"; readonly handoffs: readonly HandoffDraft[] }
  | { readonly kind: "fanned_out"; readonly fanOut: FanOutDraft }
  | { readonly kind: "carried"; readonly cluster: string }
  | { readonly kind: "rejected"; readonly reason: string };

/** Many handoffs and one that waits for what they bring back. Made by `fanOut` of `#shared/patterns`. */
export interface FanOutDraft {
  readonly branches: readonly HandoffDraft[];
  /** Goes to an agent that collects, once the branches have come back. */
  readonly join: HandoffDraft;
  /** Answers at which the join is let go without waiting for the rest. Integer. */
  readonly needed: number;
  /** Answers with fewer of which the join's condition is not met. Integer, at most `needed`. */
  readonly least: number;
  /** Branches under way at once. Integer, at least 1. */
  readonly window: number;
  /** From now, in ms, until the join is let go with what is there; null: when the run expires. */
  readonly deadlineMs: number | null;
  /** Of all answers together, as JSON text. */
  readonly answersBytesMax: number;
}

/** A handoff as the handler asks for it; the runtime checks, counts and seals it. */
export interface HandoffDraft {
  readonly to: string;
  readonly contract: Contract;
  readonly payload: unknown;
  readonly options: HandoffOptions;
}

export interface HandoffOptions {
  /** Why the handoff happens, for people. Default: the empty text. */
  readonly reason?: string;
  /** A word of the team's handoff matrix. Default: `task_delegation`. */
  readonly handoffType?: string;
  /** What the sender expects back, for people and models. Default: null. */
  readonly expectedOutput?: string | null;
  /** Capabilities the receiver must have. Default: none. */
  readonly capabilitiesRequired?: readonly string[];
  /**
   * False starts the receiver with an empty history; tool calls that are open and the labels of text from outside go
   * along all the same. Default: true.
   */
  readonly preserveHistory?: boolean;
  /** Takes the place of the conversation that came, part by part. Default: that one. */
  readonly conversation?: Partial<Conversation>;
  /** Actions the run may still cause from here on; never more than it may now. Default: as many. */
  readonly mayCause?: readonly string[];
}

export interface OnceOptions<Value> {
  /**
   * Which messages share the key. `run`: those of one run at this agent. `agent`: all of this agent's, in every run,
   * until the retention is over; they get each other's results, so the key has to name whatever the result depends on
   * (an order, a file's digest). Default: `run`.
   */
  readonly scope?: "run" | "agent";
  /** Its name for the agent's guard. Default: the key up to its first colon. */
  readonly action?: string;
  /** JSON pointers to what it uses of the payload, for the guard's `refusesTaint`. Default: all of it. */
  readonly uses?: readonly string[];
  /**
   * Asks the outside world whether the effect with this idempotency key happened, after a crash left that open.
   * Default: none; then the message waits in quarantine for a person, who is told that the effect is uncertain.
   */
  readonly reconcile?: (
    idempotencyKey: string,
    signal: AbortSignal,
  ) => Promise<{ readonly done: true; readonly value: Value } | { readonly done: false }>;
}

/** What a handler gets beside its input. */
export interface Context<To extends Transitions = Transitions> {
  /** The verified envelope this work came in. Read-only. */
  readonly envelope: Readonly<Envelope>;
  /** Aborted on time-out, cancellation, lost lock and shutdown. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** Log lines carry trace, run and message ids by themselves. */
  readonly log: Logger;
  /** Runs `work` once for this message and records its JSON result; a re-run reads the record. */
  step<Value>(name: string, work: (signal: AbortSignal) => Promise<Value> | Value): Promise<Value>;
  /**
   * Does one side effect, once per `key` for this agent in this run; with `scope: "agent"`, once in all its runs. The
   * key is claimed before `act` runs; `act` gets an idempotency key to pass on to the outside world.
   */
  once<Value>(
    key: string,
    act: (idempotencyKey: string, signal: AbortSignal) => Promise<Value>,
    options?: OnceOptions<Value>,
  ): Promise<Value>;
  /**
   * Asks a model and gives its answer as the contract's type. Recorded like a step: never paid twice. A bad answer gets
   * first aid, then one re-ask; what is still bad goes to the ward and comes back here as the recorded answer.
   */
  model<C extends Contract>(step: string, request: ModelRequest<C>): Promise<ContractOutput<C>>;
  /**
   * The board of this name in this run: entries that agents read and write together. See `blackboard` of
   * `#shared/patterns` for one with a contract.
   *
   * @param owner.conversation - Then it is the board of this conversation of the envelope's user, and outlives the run.
   * @throws {BoardInvalidError} The name (lower-case letters, digits, hyphens, at most 63) or the id (1 to 200
   * characters) is malformed.
   */
  board(name: string, bounds?: Partial<BoardBounds>, owner?: { readonly conversation?: string }): Board;
  /**
   * What the branches of a fan-out brought back, for the handler of an agent that collects.
   *
   * @throws {NothingGatheredError} The message at work waited for no branches.
   */
  gathered(): Gathered;
  /**
   * A person's word on a tool call, before the tool runs. Until there is one the message waits in quarantine, where
   * people see the call; the handler runs again with their decision, from its recorded steps. One call, one decision.
   */
  approve(call: ToolCall): Promise<ApprovalDecision>;
  /** Counts tokens as the model of this agent's tier does. */
  tokenCounter(): Promise<CountTokens>;
  /** Ends the work by handing it on. The team's graph must allow it and the contract must take the payload. */
  handoff<Name extends keyof To & string>(
    to: Name,
    payload: ContractInput<To[Name]>,
    options?: HandoffOptions,
  ): HandlerOutcome;
  /** Ends the run's branch with a result. */
  complete(result: unknown): HandlerOutcome;
  /** Says that this agent cannot take the work; the sender's fallbacks are tried. */
  reject(reason: string): HandlerOutcome;
}

/** What became of the branches of one fan-out, as its join finds it. Frozen: what comes later is late. */
export interface Gathered {
  /** Branches in all. */
  readonly total: number;
  /** Whether as many came back as the fan-out asks for. */
  readonly isMet: boolean;
  /** By the branch's place in the fan-out, rising. The value is of the contract that the agent collects. */
  readonly answers: readonly { readonly index: number; readonly agent: string; readonly value: unknown }[];
  /** Branches without an answer, rising. */
  readonly failures: readonly (BranchFailure & { readonly index: number })[];
}

/**
 * Answers like the model would, from the real input and the pictures that came with it, with no model. `random` is
 * seeded. May answer with a promise.
 */
export type StandIn = (input: never, random: () => number, images?: readonly ModelImage[]) => unknown;

export interface AgentOptions<Accepts extends Contract, To extends Transitions> {
  /** Contract of the input, in its newest version. Messages of older versions pass through its upcasters. */
  readonly accepts: Accepts;
  /**
   * Makes the agent a join (fan-in): the contract of what branches bring back. Its handler runs once, when they have.
   * Declared by `join` of `#shared/patterns`. Default: no join.
   */
  readonly collects?: Contract;
  /** With `collects`, when too few branches came back: `fail` ends the run, `handle` goes on. Default `fail`. */
  readonly onUnmet?: "fail" | "handle";
  /** True for the bridge's proxies: the handler gets the sealed message unchecked. Default false. */
  readonly carries?: boolean;
  /**
   * True: clients may send messages to it with `POST /v1/handoffs`, also malformed ones for the surgeon. Default false:
   * only agents that declare it in `to` send to it, and tasks where it is the team's entry.
   */
  readonly outside?: boolean;
  /** Agents it may hand to, each with the contract of the payload: its edges in the team's graph. Default: none. */
  readonly to?: To;
  /** Handles one message: gets the validated input and the context; returns how the work ends. */
  readonly handle: (
    input: ContractOutput<Accepts>,
    context: Context<To>,
  ) => HandlerOutcome | Promise<HandlerOutcome>;
  /** One sentence for the registry and the console. */
  readonly description?: string;
  /** What it can do: rejected messages that require it may be rerouted here along an edge. Default: none. */
  readonly capabilities?: readonly string[];
  /** Model that its steps ask; a step may name another. Default `worker`. */
  readonly tier?: ModelTier;
  /** Version of its prompts in the ward's statistics. Default: `1`. */
  readonly promptVersion?: string;
  /** Answers of a rehearsal, by the step name given to `ctx.model`. Default: none. */
  readonly standIns?: Readonly<Record<string, StandIn>>;
  /** Contracts of the model answers it asks for. The surgeon needs them to repair such answers. Default: none. */
  readonly answers?: readonly Contract[];
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
  /** Names of the boards that its handler opens. `SUTURE_TRUST=isolated` refuses a team with one. Default: none. */
  readonly boards?: readonly string[];
  /** What the agent may cause, and where text from outside comes in. Default: nothing is watched. */
  readonly guard?: GuardDeclaration;
}

export interface Agent<
  Name extends string = string,
  Accepts extends Contract = Contract,
  To extends Transitions = Transitions,
> {
  /** `name@version`. */
  readonly id: `${Name}@${number}`;
  readonly name: Name;
  readonly version: number;
  readonly accepts: Accepts;
  readonly to: To;
  readonly options: AgentOptions<Accepts, To>;
}

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
  const To extends Transitions = Record<never, Contract>,
>(id: `${Name}@${number}`, options: AgentOptions<Accepts, To>): Agent<Name, Accepts, To> {
  const match = ID.exec(id);
  if (match === null)
    throw new AgentDefinitionError(id, "its id is not of the form name@version, e.g. triage@1");
  checkContextOptions(id, options);
  // The pattern has two groups, and the first is the Name of the template type.
  const name = match[1] as Name;
  if (RESERVED_AGENT_NAMES.includes(name)) throw new AgentDefinitionError(id, `the name ${name} is reserved`);
  return {
    id,
    name,
    version: Number(match[2]),
    accepts: options.accepts,
    // Absent transitions are the empty record, which is what To defaults to.
    to: options.to ?? ({} as To),
    options,
  };
}

/** What can be found wrong with them before a message comes is found now. */
function checkContextOptions(
  id: string,
  { needs, passes, guard, contextTokensMax, to }: AgentOptions<Contract, Transitions>,
): void {
  const receivers = Object.keys(to ?? {});
  try {
    selectFields(null, [
      ...Object.values(needs ?? {}).flatMap((need) => [...need.fields, ...(need.optional ?? [])]),
      ...Object.values(passes ?? {}).flatMap((fields) => fields ?? []),
    ]);
    for (const receiver of Object.keys(passes ?? {})) {
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
