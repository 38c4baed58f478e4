import type { Contract, ContractOutput } from "#shared/contract";
import type { Keyring } from "#shared/envelope/keys";
import { agent } from "#shared/runtime";
import type {
  Agent,
  AgentOptions,
  Context,
  HandlerOutcome,
  NoTransitions,
  Transitions,
} from "#shared/runtime";
import { RemoteAgentDefinitionError, RemoteTaskFailedError } from "./errors.ts";
import { RemoteTask } from "./remote-task.ts";
import type { Begun } from "./remote-task.ts";

export interface RemoteAgentOptions<
  Accepts extends Contract,
  Answers extends Contract,
  To extends Transitions,
> extends Pick<
  AgentOptions<Accepts, To>,
  "description" | "capabilities" | "concurrency" | "deliveriesMax" | "guard"
> {
  /**
   * Address of the agent's card; a function is asked at each use. Of the card's interfaces the first is used whose
   * binding is JSON-RPC, HTTP+JSON or gRPC, and whose origin is the card's or one in `origins`.
   */
  readonly card: string | (() => Promise<string>);
  /** Other origins to ask, which get the headers; gRPC as `https://host:port`, `http:` without TLS. Default: none. */
  readonly origins?: readonly string[];
  /** Headers of every request, such as `authorization`. A function is asked for each. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);
  /** Contract of the messages it takes, which are sent as data. */
  readonly accepts: Accepts;
  /** Contract of the answer. One that does not match gets first aid, then goes to the ward. */
  readonly answers: Answers;
  /** Keys of its edges with the card's team: messages are sealed then, and answers have to be. Default: none. */
  readonly keys?: Keyring;
  /** Agents that `onAnswer` may hand to. Default: none. */
  readonly to?: To;
  /** Handler of the answer. Default: the run's branch ends with it. */
  readonly onAnswer?: (
    answer: ContractOutput<Answers>,
    context: Context<To>,
    input: ContractOutput<Accepts>,
  ) => HandlerOutcome | Promise<HandlerOutcome>;
  /** Makes of a message what is sent: a value goes as data, a text as text. Default: the message's payload. */
  readonly send?: (input: ContractOutput<Accepts>, context: Context<To>) => unknown;
  /** Most that one answer is billed, in USD, whatever the agent tells; with 0 no tokens either. Default: 1. */
  readonly costMax?: number;
  /** Time for one delivery to get the answer, in ms. The next delivery asks for the same task. Default: 100,000. */
  readonly timeoutMs?: number;
  /** Pause between two looks at a task that works, in ms. Default: 1,000. */
  readonly pollMs?: number;
  /** Bytes of one response. Default: 1 MiB. */
  readonly responseBytesMax?: number;
}

const DEFAULTS = { costMax: 1, timeoutMs: 100_000, pollMs: 1000, responseBytesMax: 1024 * 1024 };
/** Time that the handler has beyond that of the remote agent, in ms, for our own records. */
const HANDLER_MARGIN_MS = 10_000;

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
  const { card, accepts, answers, to, onAnswer, send, headers = {}, keys = null, ...rest } = options;
  const { costMax, timeoutMs, pollMs, responseBytesMax, origins = [], ...own } = { ...DEFAULTS, ...rest };
  const remote = new RemoteTask({
    id,
    card: typeof card === "function" ? card : async () => card,
    origins: new Set(
      [...(typeof card === "string" ? [card] : []), ...origins].map((url) => originOf(id, url)),
    ),
    headers: typeof headers === "function" ? headers : async () => headers,
    bytesMax: responseBytesMax,
    timeoutMs,
    pollMs,
    keys,
    contract: accepts.id,
    costMax,
  });
  // Tries are counted by the record: one whose task failed in an earlier delivery is followed by the next.
  const ask = async (content: unknown, context: Context<To>): Promise<ContractOutput<Answers>> => {
    const { message_id, run_id: contextId, traceparent } = context.envelope.meta;
    for (let nth = 1; ; nth += 1) {
      const sent = {
        messageId: `${message_id}${nth === 1 ? "" : `.${nth}`}`,
        contextId,
        content,
        traceparent,
      };
      const begin = (): Promise<Begun> =>
        context.step(`begin/${nth}`, () => remote.begin(sent, context.signal));
      const answer = await context.remote(`answer/${nth}`, {
        answers,
        from: `a2a:${id}`,
        // Text from outside, for the guards of those who read it.
        taint: "a2a",
        ask: async (call) => remote.finish(await begin(), call),
      });
      if (answer.ok) return answer.value;
      if (answer.isNew) throw new RemoteTaskFailedError(id, answer.failed);
    }
  };
  const handle = async (input: ContractOutput<Accepts>, context: Context<To>): Promise<HandlerOutcome> => {
    const answer = await ask(send === undefined ? input : send(input, context), context);
    return onAnswer === undefined ? context.complete(answer) : onAnswer(answer, context, input);
  };
  return agent(id, {
    ...own,
    accepts,
    answers: [answers],
    handlerTimeoutMs: timeoutMs + HANDLER_MARGIN_MS,
    ...(to === undefined ? {} : { to }),
    handle,
  });
}

function originOf(id: string, address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RemoteAgentDefinitionError(id, `${address.slice(0, 100)} is no http address`);
  if (url.username !== "" || url.password !== "")
    throw new RemoteAgentDefinitionError(id, "its address holds a password; use `headers`");
  return url.origin;
}
