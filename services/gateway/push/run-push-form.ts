import { timestamp } from "#shared/clock";
import { CLOUD_EVENT_TYPE, sourceOfRun, toCloudEvent } from "#shared/http";
import { ENDED_STATUSES } from "#shared/store/runs";
import { viewRun } from "../runs/view-run.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";
import type { PushForm } from "./push-form.ts";

/** Tells a task's own webhook of the run's end: the run as `GET /v1/runs/{run_id}` shows it, as a CloudEvent. */
export const RUN_PUSH_FORM: PushForm = {
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
};
