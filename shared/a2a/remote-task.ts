import { AgentCard, Message, Role, SendMessageRequest, taskStateToJSON, TaskState } from "@a2a-js/sdk";
import type { AgentInterface, Part, Task } from "@a2a-js/sdk";
import { A2AError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { Client, RequestOptions, TransportFactory } from "@a2a-js/sdk/client";
import { now, sleep } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import { loadPackage, SutureError } from "#shared/errors";
import { RunCancelledError } from "#shared/runtime/remote";
import type { RemoteCall, RemoteReply } from "#shared/runtime/remote";
import { RemoteAgentProtocolError, RemoteAgentTimeoutError, RemoteTaskRejectedError } from "./errors.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { FetchRules } from "./guarded-fetch.ts";
import { costOfTask, isOver, isRefusal, textOfAnswer, toPart } from "./read-answer.ts";
import { errorOfGrpc, GRPC_PACKAGES } from "./grpc.ts";
import { openPart, sealPart } from "./sealed.ts";

const GRPC = "GRPC";
const BINDINGS: ReadonlySet<string> = new Set([GRPC, "JSONRPC", "HTTP+JSON"]);
/** Time for which a card is used before it is read again, in ms. */
const CARD_LIFE_MS = 600_000;
/** Time to cancel a task of a run that was cancelled, in ms. */
const CANCEL_MS = 5000;
/** Characters of an id that a remote agent chose. */
const ID_CHARS_MAX = 256;

export interface RemoteTaskOptions extends FetchRules {
  readonly card: () => Promise<string>;
  /** Keys of what is sealed; null where nothing is. */
  readonly keys: Keyring | null;
  /** Id of the contract of what is sent. */
  readonly contract: string;
  readonly timeoutMs: number;
  readonly pollMs: number;
  /** Most that a task is billed, in USD; with 0 no tokens either. */
  readonly costMax: number;
}

/** Result of sending a message: a task to ask for, or an answer without one. */
export type Begun = { readonly taskId: string } | { readonly reply: RemoteReply };

interface Sent {
  readonly messageId: string;
  readonly contextId: string;
  readonly content: unknown;
  readonly traceparent: string;
}

interface Connected {
  readonly client: Client;
  readonly card: AgentCard;
  readonly options: RequestOptions & { readonly signal: AbortSignal };
}

/** Tasks at one remote agent. Keeps nothing but the card, so that every process can go on with every task. */
export class RemoteTask {
  private readonly options: RemoteTaskOptions;
  private grpc: TransportFactory | null = null;
  private card: { address: string; value: AgentCard; untilMs: number } | null = null;

  constructor(options: RemoteTaskOptions) {
    this.options = options;
  }

  /** Sends a message. Where it was sent before, an agent that knows the protocol's ids answers with the same task. */
  async begin(message: Sent, signal: AbortSignal): Promise<Begun> {
    const answer = await this.within(signal, async ({ client, card, options }) =>
      client.sendMessage(toRequest(message, this.partOf(message, card)), options),
    );
    if ("messageId" in answer) {
      if (this.options.keys !== null) throw this.unsealed();
      return { reply: { text: textOfAnswer(answer), ...costOfTask(answer, this.options.costMax) } };
    }
    if (answer.id === "" || answer.id.length > ID_CHARS_MAX)
      throw new RemoteAgentProtocolError(this.options.id, "gives its task no usable id");
    return { taskId: answer.id };
  }

  /**
   * Waits for a task to end. Cancels it there when the run is cancelled here.
   *
   * @throws {RemoteTaskRejectedError} It asks for something, or does not want the task.
   * @throws {RunCancelledError | RemoteAgentTimeoutError}
   */
  async finish(begun: Begun, call: RemoteCall): Promise<RemoteReply> {
    if ("reply" in begun) return begun.reply;
    const { id, pollMs } = this.options;
    return this.within(call.signal, async ({ client, options }) => {
      for (;;) {
        if (await call.isCancelled()) await this.cancel(begun.taskId);
        const task = await find(client, begun.taskId, options);
        if (task === null) return { failed: "unknown to it", cost: 0, tokens: 0 };
        const state = task.status?.state ?? TaskState.UNRECOGNIZED;
        if (state === TaskState.UNRECOGNIZED)
          throw new RemoteAgentProtocolError(id, "names a state that the protocol does not have");
        if (isOver(state)) return this.replyOf(task, state);
        await sleep(pollMs, options.signal);
      }
    });
  }

  private replyOf(task: Task, state: TaskState): RemoteReply {
    if (isRefusal(state)) throw new RemoteTaskRejectedError(this.options.id, nameOf(state));
    const cost = costOfTask(task, this.options.costMax);
    if (state !== TaskState.TASK_STATE_COMPLETED) return { failed: nameOf(state), ...cost };
    return { text: this.textOf(task), ...cost };
  }

  private partOf({ content, messageId: id, traceparent }: Sent, { name }: AgentCard): Part {
    const { keys, id: from, contract } = this.options;
    return keys === null
      ? toPart(content)
      : sealPart(content, { keys, from, to: `${name}@1`, id, contract, traceparent });
  }

  /** With keys, only what the agent sealed for this task is its answer. */
  private textOf(task: Task): string {
    const { keys, id } = this.options;
    if (keys === null) return textOfAnswer(task);
    const [part] = task.artifacts.flatMap(({ parts }) => parts);
    if (part === undefined) throw this.unsealed();
    try {
      const { envelope } = openPart(part, { keys, to: agentNameOf(id), id: task.id });
      return JSON.stringify(envelope.data_payload);
    } catch (error) {
      throw error instanceof SutureError ? this.unsealed() : error;
    }
  }

  private unsealed(): Error {
    return new RemoteAgentProtocolError(this.options.id, "answers without a valid seal");
  }

  /** @throws {RunCancelledError} Always; whether the remote agent takes the cancellation is its own matter. */
  private async cancel(taskId: string): Promise<never> {
    await this.within(AbortSignal.timeout(CANCEL_MS), ({ client, options }) =>
      client.cancelTask({ tenant: "", id: taskId, metadata: undefined }, options),
    ).catch(() => undefined);
    throw new RunCancelledError(taskId);
  }

  /** Works with a client whose requests end with the signal, or after `timeoutMs`. */
  private async within<Value>(
    signal: AbortSignal,
    work: (connected: Connected) => Promise<Value>,
  ): Promise<Value> {
    const { id, timeoutMs } = this.options;
    const time = AbortSignal.timeout(timeoutMs);
    const within = AbortSignal.any([signal, time]);
    try {
      return await work(await this.connect(within));
    } catch (error) {
      signal.throwIfAborted();
      if (time.aborted) throw new RemoteAgentTimeoutError(id, timeoutMs);
      throw ownErrorOf(id, error);
    }
  }

  /** Of the card's interfaces, in its order, the first that may be asked and whose binding is known. */
  private async connect(signal: AbortSignal): Promise<Connected> {
    // Loaded at the first use: few agents are remote.
    const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } =
      await import("@a2a-js/sdk/client");
    const { id, headers } = this.options;
    const address = await this.options.card();
    const origins = new Set([...this.options.origins, new URL(address).origin]);
    const fetchImpl = guardedFetch({ ...this.options, origins }, signal);
    const card = await this.readCard(address, fetchImpl);
    const chosen = card.supportedInterfaces.find(
      (one) => BINDINGS.has(one.protocolBinding) && originOf(one, origins) !== undefined,
    );
    const origin = chosen && originOf(chosen, origins);
    if (origin === undefined) throw new RemoteAgentProtocolError(id, "leads to another origin");
    const isByGrpc = chosen?.protocolBinding === GRPC;
    if (isByGrpc) {
      const { grpcTransport } = await loadPackage(GRPC_PACKAGES, () => import("./grpc-transport.ts"));
      this.grpc ??= grpcTransport(origin);
    }
    const transports = [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
      ...(this.grpc === null ? [] : [this.grpc]),
    ];
    const supportedInterfaces = chosen === undefined ? [] : [chosen];
    const client = await new ClientFactory({ transports }).createFromAgentCard({
      ...card,
      supportedInterfaces,
    });
    // The other bindings send the headers by their guarded fetch.
    const sent = isByGrpc ? { serviceParameters: { ...(await headers()) } } : {};
    return { client, card, options: { signal, ...sent } };
  }

  private async readCard(address: string, fetchImpl: typeof fetch): Promise<AgentCard> {
    const { id } = this.options;
    if (this.card?.address === address && now() < this.card.untilMs) return this.card.value;
    const response = await fetchImpl(address, { headers: { accept: "application/json" } });
    if (!response.ok) throw new RemoteAgentProtocolError(id, `has no card there (status ${response.status})`);
    const value = AgentCard.fromJSON(await response.json());
    this.card = { address, value, untilMs: now() + CARD_LIFE_MS };
    return value;
  }
}

async function find(client: Client, id: string, options: RequestOptions): Promise<Task | null> {
  try {
    return await client.getTask({ tenant: "", id, historyLength: 0 }, options);
  } catch (error) {
    if (error instanceof TaskNotFoundError) return null;
    throw error;
  }
}

/** Returns the allowed origin of an interface; a gRPC address has no scheme, which the allowed origins say. */
function originOf(one: AgentInterface, origins: ReadonlySet<string>): string | undefined {
  const urls = one.protocolBinding === GRPC ? [`https://${one.url}`, `http://${one.url}`] : [one.url];
  return urls
    .map((url) => URL.parse(url)?.origin)
    .find((origin) => origin !== undefined && origins.has(origin));
}

/** Words of the other side stay out of errors, which models and people read as ours. */
function ownErrorOf(id: string, error: unknown): Error {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof SutureError) return at;
  if (error instanceof A2AError && "transport" in error && error.transport === "grpc")
    return errorOfGrpc(id, error);
  const name = error instanceof A2AError ? error.reason : error instanceof Error ? error.name : "unknown";
  return new RemoteAgentProtocolError(id, `answers with ${name.replaceAll(/[^\w]/g, "").slice(0, 64)}`);
}

function nameOf(state: TaskState): string {
  return taskStateToJSON(state).replace("TASK_STATE_", "").toLowerCase();
}

function toRequest({ messageId, contextId }: Sent, part: Part): SendMessageRequest {
  const acceptedOutputModes = ["application/json", "text/plain"];
  const configuration = { acceptedOutputModes, historyLength: 0, returnImmediately: true };
  const message = { ...Message.fromJSON({ messageId, contextId, role: Role.ROLE_USER }), parts: [part] };
  return { ...SendMessageRequest.fromJSON({ configuration }), message };
}
