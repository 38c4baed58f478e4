import type { FastifyReply } from "fastify";
import type { GatewayApi, PageQuery, Pagination, Step, Task } from "#shared/api";
import { now } from "#shared/clock";
import { PayloadContentError, PayloadInvalidError } from "#shared/contract";
import { AbsentError, RequestInvalidError, UnauthorisedError } from "#shared/http";
import { isRecord } from "#shared/json";
import { NotFoundError } from "#shared/store";
import type { Gateway, Handler } from "../gateway.ts";
import { takeWaitingPlace } from "../guards/guard-requests.ts";
import { idempotencyOf } from "../operations/request-fields.ts";
import { beginTask } from "../runs/begin-task.ts";
import { watchChanges } from "../runs/follow-run.ts";
import { boundQuery, readInput } from "../runs/read-input.ts";
import { readTask, readTaskOf } from "../runs/read-task.ts";
import type { ReadTask } from "../runs/read-task.ts";
import { maySee, teamsFor, tenantSeen } from "../tenancy/may-see.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";
import { artifactsOf, viewSteps } from "./view-task.ts";

type Operations = {
  readonly [Id in Extract<keyof GatewayApi, `${string}Agent${"Task" | "Artifact"}${string}`>]: Handler<Id>;
};

/** The Agent Protocol's operations over runs: a task is a run, a step is a message of it. */
export const agentProtocol: Operations = {
  createAgentTask: async (call) => {
    const { gateway, body, caller } = call;
    const teamDefault = gateway.agentProtocolTeam;
    const { team, payload, placeOf } = readInput(teamsFor(gateway, caller), body, { teamDefault });
    const run = await beginTask(call, {
      team,
      input: payload,
      ...(typeof body.input === "string" ? { originalQuery: boundQuery(body.input) } : {}),
      idempotency: idempotencyOf(call, "createAgentTask", body),
    }).catch((error: unknown) => {
      throw atItsPlace(error, placeOf);
    });
    return viewTask(await readTask(gateway, caller, run.run_id));
  },

  listAgentTasks: async ({ gateway, query, caller }) => {
    const { runs } = gateway.store;
    const tenant = tenantSeen(caller);
    const own = tenant === undefined ? {} : { tenant };
    const offset = (query.current_page - 1) * query.page_size;
    const [total, records] = await Promise.all([
      runs.count(tenant),
      runs.page({ ...own, offset, limit: query.page_size }),
    ]);
    const tasks: Task[] = [];
    // One after another: only what is answered of a task is kept in memory.
    for (const record of records.filter((one) => maySee(caller, one)))
      tasks.push(viewTask(await readTaskOf(gateway, caller, record)));
    return { tasks, pagination: paginate(total, query) };
  },

  getAgentTask: async ({ gateway, params, caller }) =>
    viewTask(await readTask(gateway, caller, params.task_id)),

  listAgentTaskSteps: async ({ gateway, params, query, caller }) => {
    const { items, pagination } = pageOf(await stepsOf(gateway, caller, params.task_id), query);
    return { steps: items, pagination };
  },

  getAgentTaskStep: async ({ gateway, params, caller }) => {
    const steps = await stepsOf(gateway, caller, params.task_id);
    const step = steps.find(({ step_id }) => step_id === params.step_id);
    if (step === undefined) throw new AbsentError("step of this task");
    return step;
  },

  // Agents do their steps without being asked: this waits for the next one that nobody has taken, for a bounded time.
  executeAgentTaskStep: async ({ gateway, params, caller, signal, mayStill }) => {
    const { run_id } = await findRun(gateway, caller, params.task_id);
    const leave = takeWaitingPlace(gateway, caller);
    const bell = watchChanges(gateway, run_id);
    const untilMs = now() + gateway.bounds.stepWaitMsMax;
    try {
      for (;;) {
        if (!mayStill()) throw new UnauthorisedError();
        const { step, isToWaitFor } = await takeNext(gateway, caller, run_id);
        const leftMs = untilMs - now();
        if (!isToWaitFor || leftMs <= 0 || signal.aborted) return step;
        await bell.wait(Math.min(leftMs, gateway.bounds.recheckEveryMs), signal);
      }
    } finally {
      bell.stop();
      leave();
    }
  },

  listAgentTaskArtifacts: async ({ gateway, params, query, caller }) => {
    const { artifacts } = viewTask(await readTask(gateway, caller, params.task_id));
    const { items, pagination } = pageOf(artifacts, query);
    return { artifacts: items, pagination };
  },

  downloadAgentTaskArtifact: async ({ gateway, params, reply, caller }) =>
    sendArtifact(gateway, { caller, taskId: params.task_id, artifactId: params.artifact_id }, reply),

  // The draft of the protocol has artifacts without their task; an id of ours names it.
  downloadAgentArtifact: async ({ gateway, params: { artifact_id: artifactId }, reply, caller }) => {
    const [taskId = ""] = artifactId.split(".", 1);
    if (taskId === artifactId) throw new NotFoundError("artifact", artifactId);
    return sendArtifact(gateway, { caller, taskId, artifactId }, reply);
  },
};

function viewTask({ record, payload, query }: ReadTask): Task {
  return {
    input: query,
    additional_input: { ...(isRecord(payload) ? payload : {}), team: record.team },
    task_id: record.run_id,
    artifacts: artifactsOf(record),
  };
}

async function stepsOf(gateway: Gateway, caller: Caller, taskId: string): Promise<Step[]> {
  const record = await findRun(gateway, caller, taskId);
  return viewSteps(record, await eventsOf(gateway, caller, record));
}

/** Another request may take a step in the same moment: one of them gets it, the other looks for the one after it. */
async function takeNext(
  gateway: Gateway,
  caller: Caller,
  runId: string,
): Promise<{ readonly step: Step; readonly isToWaitFor: boolean }> {
  const { stepMarks } = gateway.store;
  for (;;) {
    const taken = await stepMarks.read(runId);
    const record = await findRun(gateway, caller, runId);
    const steps = viewSteps(record, await eventsOf(gateway, caller, record));
    // Its end came between the two reads: the last step would be told as one that another follows.
    if ((await findRun(gateway, caller, runId)).status !== record.status) continue;
    const [next, last] = [steps[taken], steps.at(-1)];
    if (last === undefined) throw new AbsentError("step of this task");
    // Between two steps there is none yet: what is known of the last one is all there is to tell.
    if (next === undefined || record.archived === true) return { step: last, isToWaitFor: !last.is_last };
    if (next.status !== "completed") return { step: next, isToWaitFor: true };
    if (await stepMarks.advance(runId, taken)) return { step: next, isToWaitFor: false };
  }
}

/** Sends a result, never shown by a browser as a page of ours: a model wrote it. */
async function sendArtifact(
  gateway: Gateway,
  wanted: { readonly caller: Caller; readonly taskId: string; readonly artifactId: string },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { record } = await readTask(gateway, wanted.caller, wanted.taskId);
  const [found] = artifactsOf(record);
  if (found?.artifact_id !== wanted.artifactId) throw new AbsentError("artifact of this task");
  return reply
    .headers({
      "content-disposition": `attachment; filename*=UTF-8''${found.file_name}`,
      "content-security-policy": "sandbox; default-src 'none'",
    })
    .type("application/octet-stream")
    .send(Buffer.from(JSON.stringify(record.result)));
}

/** Faults of the payload, at the places of the request that the client knows. */
function atItsPlace(error: unknown, placeOf: (path: string) => string): unknown {
  const isOfPayload =
    error instanceof PayloadInvalidError ||
    error instanceof PayloadContentError ||
    error instanceof RequestInvalidError;
  if (!isOfPayload) return error;
  return new RequestInvalidError(error.issues.map((issue) => ({ ...issue, path: placeOf(issue.path) })));
}

function paginate(total_items: number, { current_page, page_size }: PageQuery): Pagination {
  return { total_items, total_pages: Math.ceil(total_items / page_size), current_page, page_size };
}

/** One page of what is at hand. A page behind the last one is empty. */
function pageOf<Item>(items: readonly Item[], query: PageQuery) {
  const from = (query.current_page - 1) * query.page_size;
  return { items: items.slice(from, from + query.page_size), pagination: paginate(items.length, query) };
}
