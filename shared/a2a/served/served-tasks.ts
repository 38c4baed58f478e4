import { Artifact, Role, Task, TaskState } from "@a2a-js/sdk";
import type { AgentCard, Message, Part, SendMessageRequest } from "@a2a-js/sdk";
import { A2AError, RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { AgentEvent, DefaultRequestHandler } from "@a2a-js/sdk/server";
import type {
  AgentExecutor,
  ExecutionEventBus,
  RequestContext,
  ServerCallContext,
  TaskStore,
} from "@a2a-js/sdk/server";
import type { Logger } from "pino";
import { whenAborted } from "#shared/clock";
import { checkPayload } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { RUN_EXTENSION } from "../sealed.ts";
import { isOver, toPart } from "../read-answer.ts";
import type { ServedAgent } from "./served-agent.ts";

/** Ended tasks that are kept for whoever asks again. */
const ENDED_MAX = 1000;

/** As many tasks are at work as the agent takes. */
export class AgentBusyError extends A2AError {
  readonly transport = "grpc";
  /** gRPC's RESOURCE_EXHAUSTED. */
  readonly status = 8;

  constructor() {
    super({ message: "The agent has as many tasks as it takes. Ask again later." });
  }
}

interface BegunTask {
  readonly parts: string;
  readonly answer: Promise<Message | Task>;
}

/** The tasks of a served agent, in memory: one for each message. After a restart the proxy begins them again. */
export class ServedTasks extends DefaultRequestHandler {
  private readonly begun = new Map<string, BegunTask>();
  private readonly work: TaskWork;

  constructor(card: AgentCard, agent: ServedAgent, logger: Logger) {
    const tasks = new RecentTasks((messageIds) => {
      for (const id of messageIds) this.begun.delete(id);
    });
    const work = new TaskWork(agent, logger);
    super(card, tasks, work);
    this.work = work;
  }

  /** @throws {AgentBusyError | RequestMalformedError} */
  override async sendMessage(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): Promise<Message | Task> {
    const { messageId = "", parts = [] } = request.message ?? {};
    const sent = JSON.stringify(parts);
    const known = this.begun.get(messageId);
    if (known !== undefined) {
      if (known.parts !== sent)
        throw new RequestMalformedError("This message id was used for other content.");
      const answer = await known.answer;
      return "status" in answer
        ? this.getTask({ tenant: "", id: answer.id, historyLength: 0 }, context)
        : answer;
    }
    if (this.isTooBusyFor(messageId)) throw new AgentBusyError();
    const answer = super.sendMessage(request, context);
    this.begun.set(messageId, { parts: sent, answer });
    // A task that could not begin may be tried again.
    answer.catch(() => this.begun.delete(messageId));
    return answer;
  }

  /** Returns true for a message that would begin one task more than the agent takes. */
  isTooBusyFor(messageId: string): boolean {
    return this.work.isFull() && !this.begun.has(messageId);
  }

  /** Aborts every task at work. */
  stop(): void {
    this.work.stop();
  }
}

/** Keeps the tasks at work, and the last of those that ended. */
class RecentTasks implements TaskStore {
  private readonly tasks = new Map<string, Task>();
  private readonly onForgotten: (messageIds: readonly string[]) => void;

  constructor(onForgotten: (messageIds: readonly string[]) => void) {
    this.onForgotten = onForgotten;
  }

  async save(task: Task): Promise<void> {
    this.tasks.set(task.id, task);
    if (this.tasks.size <= ENDED_MAX) return;
    const oldest = [...this.tasks.values()].find(({ status }) =>
      isOver(status?.state ?? TaskState.UNRECOGNIZED),
    );
    if (oldest === undefined) return;
    this.tasks.delete(oldest.id);
    this.onForgotten(oldest.history.map(({ messageId }) => messageId));
  }

  async load(id: string): Promise<Task | undefined> {
    return this.tasks.get(id);
  }

  async list(): ReturnType<TaskStore["list"]> {
    // A caller that knows a task's id may ask for it; nobody is told of the others.
    return { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
  }
}

/** Runs the handler for each task, with its time and its end. */
class TaskWork implements AgentExecutor {
  private readonly agent: ServedAgent;
  private readonly logger: Logger;
  private readonly working = new Map<string, AbortController>();

  constructor(agent: ServedAgent, logger: Logger) {
    this.agent = agent;
    this.logger = logger;
  }

  isFull(): boolean {
    return this.working.size >= this.agent.concurrency;
  }

  stop(): void {
    for (const controller of this.working.values()) controller.abort();
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const stopping = new AbortController();
    this.working.set(context.taskId, stopping);
    bus.publish(AgentEvent.task(taskOf(context, { state: TaskState.TASK_STATE_WORKING })));
    try {
      bus.publish(AgentEvent.task(taskOf(context, await this.answer(context, stopping))));
    } finally {
      this.working.delete(context.taskId);
    }
  }

  async cancelTask(id: string, bus: ExecutionEventBus): Promise<void> {
    const controller = this.working.get(id);
    if (controller === undefined) throw new TaskNotFoundError(id);
    controller.abort();
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
    bus.publish(AgentEvent.statusUpdate({ taskId: id, contextId: "", status, metadata: undefined }));
  }

  private async answer({ taskId, userMessage }: RequestContext, stopping: AbortController): Promise<Ending> {
    const { agent, logger } = this;
    let cost = { usd: 0, tokens: 0 };
    const ended = (state: TaskState, end: Omit<Ending, "state"> = {}): Ending => ({ state, cost, ...end });
    let input: unknown;
    try {
      input = checkPayload(agent.accepts, contentOf(userMessage.parts));
    } catch (error) {
      if (!(error instanceof SutureError)) throw error;
      return ended(TaskState.TASK_STATE_REJECTED, { said: error.message });
    }
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(agent.timeoutMs)]);
    const { messageId } = userMessage;
    try {
      const bill = (told: typeof cost): void => void (cost = told);
      const work = Promise.resolve(agent.handle(input, { messageId, signal, bill }));
      const answer = await Promise.race([work, whenAborted(signal)]);
      checkPayload(agent.answers, answer);
      return ended(TaskState.TASK_STATE_COMPLETED, { data: answer });
    } catch (error) {
      if (stopping.signal.aborted) return ended(TaskState.TASK_STATE_CANCELED);
      logger.error({ err: error, taskId, messageId }, "a task failed");
      return ended(TaskState.TASK_STATE_FAILED);
    }
  }
}

interface Ending {
  readonly state: TaskState;
  readonly data?: unknown;
  readonly said?: string;
  readonly cost?: { readonly usd: number; readonly tokens: number };
}

/** A message is one value as data; a text is taken as it is. */
function contentOf(parts: readonly Part[]): unknown {
  const [part] = parts;
  return parts.length === 1 && (part?.content?.$case === "data" || part?.content?.$case === "text")
    ? part.content.value
    : undefined;
}

function taskOf(
  { taskId: id, contextId, userMessage }: RequestContext,
  { state, data, said, cost }: Ending,
): Task {
  const words = {
    messageId: `${id}.end`,
    contextId,
    taskId: id,
    role: Role.ROLE_AGENT,
    parts: [{ text: said }],
  };
  const answer = { ...Artifact.fromJSON({ artifactId: "answer", name: "answer" }), parts: [toPart(data)] };
  const billing = cost && { cost_so_far: cost.usd, tokens_consumed: cost.tokens, currency: "USD" };
  return {
    ...Task.fromJSON({ id, contextId, status: { state, message: said && words } }),
    artifacts: state === TaskState.TASK_STATE_COMPLETED ? [answer] : [],
    history: [userMessage],
    metadata: billing && { [RUN_EXTENSION]: { billing } },
  };
}
