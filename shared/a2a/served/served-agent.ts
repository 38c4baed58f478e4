import type { Contract, ContractInput, ContractOutput } from "#shared/contract";

/** Second argument of the handler of a served agent, beside its input. */
export interface ServedContext {
  /** The message's id. Every delivery of a message has the same, so it is the key for effects that must happen once. */
  readonly messageId: string;
  /** Aborts when the task is cancelled, when its time is over, and when the process stops. */
  readonly signal: AbortSignal;
  /** Tells what this task has cost until now; the proxy bills it to the run, within its own bound. */
  readonly bill: (cost: { readonly usd: number; readonly tokens: number }) => void;
}

export interface ServedAgentOptions<Accepts extends Contract, Answers extends Contract> {
  /** Contract of the messages. One that does not match is rejected, and the handler does not see it. */
  readonly accepts: Accepts;
  /** Contract of the answers, as the proxy in the team declares it. One that does not match fails the task. */
  readonly answers: Answers;
  readonly handle: (
    input: ContractOutput<Accepts>,
    context: ServedContext,
  ) => ContractInput<Answers> | Promise<ContractInput<Answers>>;
  /** One sentence for the agent's card. Default: its name. */
  readonly description?: string;
  /** Time for one task, in ms. Default: 100,000. */
  readonly timeoutMs?: number;
  /** Tasks at work at once; more are told to come back. Default: 4. */
  readonly concurrency?: number;
}

/** An agent that runs in a process without Redis and without keys, behind A2A. */
export interface ServedAgent extends Required<Omit<ServedAgentOptions<Contract, Contract>, "handle">> {
  readonly name: string;
  readonly version: number;
  readonly handle: (input: unknown, context: ServedContext) => unknown;
}

/** Marks what `servedAgent` made, in whichever copy of this module. */
const MARK = Symbol.for("suture.served-agent");

/**
 * Declares an agent that is not trusted with the team's Redis and keys: `suture serve-agent FILE` serves the default
 * export of FILE, and `remoteAgent` is its place in the team.
 *
 * @example export default servedAgent("read@1", { accepts: Page, answers: Words, handle: ({ text }) => wordsOf(text) })
 */
export function servedAgent<Accepts extends Contract, Answers extends Contract>(
  id: `${string}@${number}`,
  options: ServedAgentOptions<Accepts, Answers>,
): ServedAgent {
  const [name = "", version = ""] = id.split("@");
  const { accepts, answers, handle, description = name, timeoutMs = 100_000, concurrency = 4 } = options;
  const served: ServedAgent = {
    name,
    version: Number(version),
    accepts,
    answers,
    // The input was held against `accepts` before.
    handle: (input, context) => handle(input as ContractOutput<Accepts>, context),
    description,
    timeoutMs,
    concurrency,
  };
  return Object.defineProperty(served, MARK, { value: true });
}

export function isServedAgent(value: unknown): value is ServedAgent {
  return typeof value === "object" && value !== null && MARK in value;
}
