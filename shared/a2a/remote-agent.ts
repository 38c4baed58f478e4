import type { Contract, ContractOutput } from "#shared/contract";
import type { Keyring } from "#shared/envelope/keys";
import { agent } from "#shared/runtime";
import type { Agent, Context, HandlerOutcome, NoTransitions, Transitions } from "#shared/runtime";
import { RemoteAgentDefinitionError, RemoteTaskFailedError } from "./errors.ts";
import { costOfTask } from "./read-answer.ts";
import type { TaskCost } from "./read-answer.ts";
import { RemoteTask } from "./remote-task.ts";
import type { Begun } from "./remote-task.ts";

export interface RemoteAgentOptions<
  Accepts extends Contract,
  Answers extends Contract,
  To extends Transitions,
> {
  /**
   * Address of the agent's card. Of the card's interfaces the first is used whose binding is JSON-RPC, HTTP+JSON or
   * gRPC, and whose origin is the card's or one in `origins`.
   */
  readonly card: string;
  /**
   * Other origins that may be asked, and get the headers; an address of gRPC as `https://host:port`, or `http:` without
   * TLS. Default: none.
   */
  readonly origins?: readonly string[];
  /** Headers of every request, such as `authorization`. A function is asked for each. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);
  /** Contract of the messages it takes, which are sent as data. */
  readonly accepts: Accepts;
  /** Contract of the answer. One that does not match gets first aid, then goes to the ward. */
  readonly answers: Answers;
  /**
   * Keys of the edges between this agent and the team that the card names. With them messages are sealed, and answers
   * have to be. Default: none.
   */
  readonly keys?: Keyring;
  /** Agents that `onAnswer` may hand to. Default: none. */
  readonly to?: To;
  /** What is done with the answer. Default: the run's branch ends with it. */
  readonly onAnswer?: (
    answer: ContractOutput<Answers>,
    context: Context<To>,
  ) => HandlerOutcome | Promise<HandlerOutcome>;
  /** Makes of a message what is sent: a value goes as data, a text as text. Default: the message's payload. */
  readonly send?: (input: ContractOutput<Accepts>) => unknown;
  /** Most that one answer is billed, in USD, whatever the agent tells. Default: 1. */
  readonly costMax?: number;
  /** Time for one delivery to get the answer, in ms. The next delivery asks for the same task. Default: 100,000. */
  readonly timeoutMs?: number;
  /** Pause between two looks at a task that works, in ms. Default: 1,000. */
  readonly pollMs?: number;
  /** Bytes of one response. Default: 1 MiB. */
  readonly responseBytesMax?: number;
  /** One sentence for the registry and the console. */
  readonly description?: string;
  /** Messages handled at once in one process. Default: `SUTURE_CONCURRENCY`. */
  readonly concurrency?: number;
  /** Deliveries before a failure goes to the ward. Default: `SUTURE_DELIVERIES_MAX`. */
  readonly deliveriesMax?: number;
}

const DEFAULTS = { costMax: 1, timeoutMs: 100_000, pollMs: 1000, responseBytesMax: 1024 * 1024 };
/** Time that the handler has beyond that of the remote agent, in ms, for our own records. */
const HANDLER_MARGIN_MS = 10_000;

/** Label of everything that a remote agent says: text from outside, for the guards of those who read it. */
const TAINT = "a2a";

/**
 * Declares an A2A agent of somebody else as an agent of a team, with its own queue. A message begins one task there,
 * known by the message's id, and every delivery asks for that same task; a task that failed is begun anew by the next.
 *
 * @throws {RemoteAgentDefinitionError | AgentDefinitionError}
 * @example remoteAgent("translate@1", { card: "https://example.org/card.json", accepts: Text, answers: Text })
 */
export function remoteAgent<
  const Name extends string,
  Accepts extends Contract,
  Answers extends Contract,
  const To extends Transitions = NoTransitions,
>(id: `${Name}@${number}`, options: RemoteAgentOptions<Accepts, Answers, To>): Agent<Name, Accepts, To> {
  const { accepts, answers, to, onAnswer, headers = {} } = options;
  const bounds = { ...DEFAULTS, ...options };
  const origins = new Set([options.card, ...(options.origins ?? [])].map((url) => originOf(id, url)));
  const remote = new RemoteTask({
    id,
    card: options.card,
    origins,
    headers: typeof headers === "function" ? headers : async () => headers,
    bytesMax: bounds.responseBytesMax,
    timeoutMs: bounds.timeoutMs,
    pollMs: bounds.pollMs,
    keys: options.keys ?? null,
    contract: accepts.id,
    costOf: (metadata) => bound(costOfTask(metadata), bounds.costMax),
  });
  const handle = async (input: ContractOutput<Accepts>, context: Context<To>): Promise<HandlerOutcome> => {
    const content = options.send === undefined ? input : options.send(input);
    const answer = await answerOf({ context, answers, remote, id, content });
    return onAnswer === undefined ? context.complete(answer) : onAnswer(answer, context);
  };
  return agent(id, {
    accepts,
    answers: [answers],
    handlerTimeoutMs: bounds.timeoutMs + HANDLER_MARGIN_MS,
    ...(to === undefined ? {} : { to }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.deliveriesMax === undefined ? {} : { deliveriesMax: options.deliveriesMax }),
    handle,
  });
}

/** Tries are counted by the record: one whose task failed in an earlier delivery is followed by the next. */
async function answerOf<Answers extends Contract, To extends Transitions>(asked: {
  readonly context: Context<To>;
  readonly answers: Answers;
  readonly remote: RemoteTask;
  readonly id: string;
  readonly content: unknown;
}): Promise<ContractOutput<Answers>> {
  const { context, answers, remote, id, content } = asked;
  const { message_id, run_id } = context.envelope.meta;
  for (let nth = 1; ; nth += 1) {
    const messageId = `${message_id}${nth === 1 ? "" : `.${nth}`}`;
    const begin = (): Promise<Begun> =>
      context.step(`begin/${nth}`, () =>
        remote.begin(
          { messageId, contextId: run_id, content, traceparent: context.envelope.meta.traceparent },
          context.signal,
        ),
      );
    const answer = await context.remote(`answer/${nth}`, {
      answers,
      from: `a2a:${id}`,
      taint: TAINT,
      ask: async (call) => remote.finish(await begin(), call),
    });
    if (answer.ok) return answer.value;
    if (answer.isNew) throw new RemoteTaskFailedError(id, answer.failed);
  }
}

function bound(told: TaskCost | null, costMax: number): TaskCost {
  if (told === null) return { cost: 0, tokens: 0 };
  return { cost: Math.min(Math.max(told.cost, 0), costMax), tokens: Math.max(0, Math.round(told.tokens)) };
}

function originOf(id: string, address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RemoteAgentDefinitionError(id, `${address.slice(0, 100)} is no http address`);
  if (url.username !== "" || url.password !== "")
    throw new RemoteAgentDefinitionError(id, "its address holds a password; use `headers`");
  return url.origin;
}
