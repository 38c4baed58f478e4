import { createHash } from "node:crypto";
import { TaskState } from "@a2a-js/sdk";
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import {
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { listRuns, readCursor } from "#shared/api/run-views";
import { timestamp } from "#shared/clock";
import { PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { AbsentError, RequestInvalidError } from "#shared/http";
import { NotFoundError } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import { IdempotencyConflictError } from "../errors.ts";
import { digestRequest } from "../operations/request-fields.ts";
import { beginTask } from "../runs/begin-task.ts";
import { waitForEnd } from "../runs/follow-run.ts";
import { boundQuery } from "../runs/read-input.ts";
import { readTask, readTaskOf } from "../runs/read-task.ts";
import { endRun } from "../runs/start-run.ts";
import { maySee, tenantSeen } from "../tenancy/may-see.ts";
import { describeTeam } from "./agent-card.ts";
import { readMessage } from "./read-message.ts";
import { findOwn } from "./team-call.ts";
import type { TeamCall } from "./team-call.ts";
import { followTask, say, statusesOf, viewTask } from "./view-task.ts";

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 100;

/** Carries out the protocol for one request to one team; a task is a run. @param toThrow - Makes the thrown error. */
export function createRequestHandler(
  call: TeamCall,
  toThrow: (error: unknown) => unknown,
): A2ARequestHandler {
  const { team, origin } = call;
  const inProtocol =
    <Request, Answer>(work: (call: TeamCall, request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> =>
      work(call, request).catch(async (error: unknown) => {
        throw await toThrow(toProtocolError(error));
      });
  const streamed = <Request>(work: (call: TeamCall, request: Request) => TaskStream) =>
    async function* (request: Request): TaskStream {
      try {
        yield* work(call, request);
      } catch (error) {
        throw await toThrow(toProtocolError(error));
      }
    };
  return {
    getAgentCard: async () => describeTeam(team, origin, call.gateway.a2aGrpcPort),
    getAuthenticatedExtendedAgentCard: () => Promise.reject(new ExtendedAgentCardNotConfiguredError()),
    sendMessage: inProtocol(sendMessage),
    sendMessageStream: streamed(streamMessage),
    getTask: inProtocol(getTask),
    listTasks: inProtocol(listTasks),
    cancelTask: inProtocol(cancelTask),
    resubscribe: streamed(subscribe),
    createTaskPushNotificationConfig: refusePush,
    getTaskPushNotificationConfig: refusePush,
    listTaskPushNotificationConfigs: refusePush,
    deleteTaskPushNotificationConfig: refusePush,
  };
}

function refusePush(): Promise<never> {
  return Promise.reject(
    new PushNotificationNotSupportedError({
      message: "Subscribe to the task, or begin it with POST /v1/tasks and a webhook.",
    }),
  );
}

type TaskStream = AsyncGenerator<StreamResponse, void, undefined>;

async function sendMessage(call: TeamCall, request: SendMessageRequest): Promise<Task> {
  const begun = await begin(call, request);
  if (typeof begun !== "string") return begun;
  if (request.configuration?.returnImmediately !== true)
    await waitForEnd(call, begun, call.gateway.bounds.waitSecondsMax * 1000);
  return withHistory(await show(call, begun), request.configuration?.historyLength);
}

async function show({ gateway, caller }: TeamCall, id: string): Promise<Task> {
  return viewTask(await readTask(gateway, caller, id), gateway.a2aKeys);
}

async function* streamMessage(call: TeamCall, request: SendMessageRequest): TaskStream {
  const begun = await begin(call, request);
  if (typeof begun === "string") yield* followTask(call, begun);
  else yield { payload: { $case: "task", value: begun } };
}

/** Begins the run of a message. @returns its id, or a rejected task where the contract does not take the content. */
async function begin(call: TeamCall, request: SendMessageRequest): Promise<string | Task> {
  const { message } = request;
  if (request.configuration?.taskPushNotificationConfig !== undefined) return refusePush();
  const { gateway, team, caller } = call;
  const { messageId, contextId, text, payload, sealed } = readMessage(team, message, gateway.a2aKeys);
  try {
    const { run_id } = await beginTask(call, {
      team,
      input: payload,
      ...(text === null ? {} : { originalQuery: boundQuery(text) }),
      note: {
        a2a_message: messageId,
        ...(contextId === "" ? {} : { a2a_context: contextId }),
        ...(sealed === null ? {} : { a2a_sealed: [sealed.by, sealed.digest, sealed.run] }),
      },
      idempotency: {
        caller: caller?.name ?? "",
        key: `a2a ${team.name} ${messageId}`,
        digest: digestRequest("a2a", { payload, contextId }),
      },
    });
    return run_id;
  } catch (error) {
    const faults = faultsOfContent(error);
    if (faults === null) throw error;
    return rejected(`${caller?.name ?? ""} ${team.name} ${messageId}`, {
      contextId,
      why: describeIssues(faults),
    });
  }
}

/** Nothing was begun: the task has an id of its own, the same for the same message, and is not kept. */
function rejected(
  of: string,
  { contextId, why }: { readonly contextId: string; readonly why: string },
): Task {
  const id = `rejected-${createHash("sha256").update(of).digest("hex").slice(0, 32)}`;
  return {
    id,
    contextId: contextId === "" ? id : contextId,
    status: {
      state: TaskState.TASK_STATE_REJECTED,
      timestamp: timestamp(),
      message: say(id, why),
    },
    artifacts: [],
    history: [],
    metadata: undefined,
  };
}

async function getTask(call: TeamCall, { id, historyLength }: GetTaskRequest): Promise<Task> {
  await findOwn(call, id);
  return withHistory(await show(call, id), historyLength);
}

function withHistory(task: Task, historyLength: number | undefined): Task {
  if (historyLength === undefined) return task;
  return { ...task, history: historyLength <= 0 ? [] : task.history.slice(-historyLength) };
}

async function cancelTask(call: TeamCall, { id }: CancelTaskRequest): Promise<Task> {
  const { gateway, caller } = call;
  const record = await findOwn(call, id);
  if (ENDED_STATUSES.includes(record.status))
    throw new TaskNotCancelableError({ message: `The task has ended: ${record.status}.` });
  await endRun(gateway, caller, id);
  return show(call, id);
}

async function* subscribe(call: TeamCall, { id }: SubscribeToTaskRequest): TaskStream {
  const record = await findOwn(call, id);
  if (ENDED_STATUSES.includes(record.status))
    throw new UnsupportedOperationError({ message: `The task has ended: ${record.status}. Get it instead.` });
  yield* followTask(call, id);
}

/**
 * Newest first, by their beginning. A page may be short while there is a next one. Where there is more than one page,
 * `totalSize` is an upper bound, the runs of the tenant: counting the tasks would make each page cost as much as all.
 */
async function listTasks(call: TeamCall, request: ListTasksRequest): Promise<ListTasksResponse> {
  const { gateway, caller, team } = call;
  const pageSize = request.pageSize ?? PAGE_SIZE_DEFAULT;
  if (pageSize < 1 || pageSize > PAGE_SIZE_MAX)
    throw new RequestMalformedError({ message: `pageSize is 1 to ${PAGE_SIZE_MAX}` });
  const { pageToken: cursor } = request;
  if (cursor !== "" && readCursor(cursor) === undefined)
    throw new RequestMalformedError({ message: "pageToken is not one of ours" });
  const statuses = statusesOf(request.status);
  const page = await listRuns(gateway.store, {
    team: team.name,
    tenant: tenantSeen(caller),
    sees: (run) => maySee(caller, run) && statuses.includes(run.status),
    limit: pageSize,
    ...(cursor === "" ? {} : { cursor }),
  });
  const tasks: Task[] = [];
  // One after another: only what is answered of a task is kept in memory.
  for (const { run_id } of page.runs) {
    const run = await gateway.store.runs.find(run_id);
    if (run === null) continue;
    const task = viewTask(await readTaskOf(gateway, caller, run), gateway.a2aKeys);
    const artifacts = request.includeArtifacts === true ? task.artifacts : [];
    if (isAsked(task, request)) tasks.push({ ...withHistory(task, request.historyLength ?? 0), artifacts });
  }
  return {
    tasks,
    nextPageToken: page.next_cursor ?? "",
    pageSize,
    totalSize:
      cursor === "" && page.next_cursor === null
        ? page.runs.length
        : await gateway.store.runs.count(tenantSeen(caller)),
  };
}

function isAsked(task: Task, { contextId, statusTimestampAfter }: ListTasksRequest): boolean {
  if (contextId !== "" && task.contextId !== contextId) return false;
  return (
    statusTimestampAfter === undefined ||
    Date.parse(task.status?.timestamp ?? "") >= Date.parse(statusTimestampAfter)
  );
}

/** Faults that a message names at most. */
const ISSUES_TOLD_MAX = 20;

/** Returns the protocol's error for one of ours; others as they are, to be answered with their HTTP status. */
function toProtocolError(error: unknown): unknown {
  if (error instanceof NotFoundError || error instanceof AbsentError)
    return new TaskNotFoundError({ message: error.message });
  if (error instanceof RequestInvalidError)
    return new RequestMalformedError({ message: `${error.message} ${describeIssues(error.issues)}` });
  if (error instanceof IdempotencyConflictError)
    return new RequestMalformedError({
      message: "The messageId was used for another message. Send a new one.",
    });
  return error;
}

/** Returns the faults of a message's content; null for every other error. */
function faultsOfContent(error: unknown): readonly Issue[] | null {
  return error instanceof PayloadInvalidError || error instanceof PayloadContentError ? error.issues : null;
}

function describeIssues(issues: readonly Issue[]): string {
  return issues
    .slice(0, ISSUES_TOLD_MAX)
    .map(({ path, message }) => `${path || "/"}: ${message}`)
    .join("; ");
}
