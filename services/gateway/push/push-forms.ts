import { A2A_CONTENT_TYPE, StreamResponse } from "@a2a-js/sdk";
import { timestamp } from "#shared/clock";
import { CLOUD_EVENT_TYPE, sourceOfRun, toCloudEvent } from "#shared/http";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunStatus } from "#shared/store/runs";
import { viewTask } from "../a2a/view-task.ts";
import type { Gateway } from "../gateway.ts";
import { readTask } from "../runs/read-task.ts";
import { viewRun } from "../runs/view-run.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";
import type { PushTarget } from "./push-target.ts";

/** The body of one push and its media type. */
export interface PushBody {
  readonly contentType: string;
  readonly body: string;
}

/** What a kind of address is told. */
interface PushForm {
  /** Returns true for a status that is posted. */
  tells(status: RunStatus): boolean;
  /**
   * Writes a run as the caller sees it now. @param push.id - The same for every try.
   *
   * @throws {NotFoundError}
   */
  write(gateway: Gateway, push: { caller: Caller; runId: string; id: string }): Promise<PushBody>;
}

export const PUSH_FORMS: Readonly<Record<PushTarget["form"], PushForm>> = {
  /** Clients of A2A hear of every change of a task's status, with the whole task. */
  a2a: {
    tells: () => true,
    write: async (gateway, { caller, runId }) => {
      const task = viewTask(await readTask(gateway, caller, runId), gateway.a2aKeys);
      const body = JSON.stringify(StreamResponse.toJSON({ payload: { $case: "task", value: task } }));
      return { contentType: A2A_CONTENT_TYPE, body };
    },
  },
  /** A task's own webhook hears of the run's end: the run as `GET /v1/runs/{run_id}` shows it, as a CloudEvent. */
  run: {
    tells: (status) => ENDED_STATUSES.includes(status),
    write: async (gateway, { caller, runId, id }) => {
      const run = await findRun(gateway, caller, runId);
      const event = toCloudEvent({
        id,
        source: sourceOfRun(runId),
        type: "run.ended",
        time: timestamp(run.ended_ms ?? run.created_ms),
        data: viewRun(run, await eventsOf(gateway, caller, run)),
      });
      return { contentType: CLOUD_EVENT_TYPE, body: JSON.stringify(event) };
    },
  },
};
