import { RequestInvalidError } from "#shared/http";
import type { Handler } from "../operation.ts";
import { beginTask, findTeam } from "../runs/begin-task.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { digestRequest } from "../runs/digest-request.ts";
import { idempotencyKeyOf, toStarted, tracestateOf } from "./request-fields.ts";

type Task = Parameters<Handler<"submitTask">>[0]["body"];

/** A task comes in: checked, sealed and accepted before the answer. */
export const submitTask: Handler<"submitTask"> = async ({ gateway, body, request, caller, traceparent }) => {
  refuseWebhook(body);
  const { team, input, webhook: _refused, ...options } = body;
  const key = idempotencyKeyOf(request);
  const run = await beginTask(gateway, {
    caller,
    team: findTeam(teamsFor(gateway, caller), team, "/team"),
    input,
    options,
    trace: { traceparent, tracestate: tracestateOf(request) },
    payloadAt: "/input",
    idempotency:
      key === null ? null : { caller: caller?.name ?? "", key, digest: digestRequest("submitTask", body) },
  });
  return toStarted(run);
};

function refuseWebhook(task: Task): void {
  if (task.webhook === undefined) return;
  throw new RequestInvalidError([
    {
      path: "/webhook",
      code: "not_available",
      message: "follow the run's events or poll with ?wait= instead",
    },
  ]);
}
