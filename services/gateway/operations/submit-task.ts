import type { Handler } from "../operation.ts";
import { toPush } from "../webhook/task-webhook.ts";
import { beginTask, findTeam } from "../runs/begin-task.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { idempotencyOf, toStarted, tracestateOf } from "./request-fields.ts";

/** A task comes in: checked, sealed and accepted before the answer. */
export const submitTask: Handler<"submitTask"> = async ({ gateway, body, request, caller, traceparent }) => {
  const { team, input, webhook, ...options } = body;
  const run = await beginTask(gateway, {
    caller,
    team: findTeam(teamsFor(gateway, caller), team, "/team"),
    input,
    options,
    trace: { traceparent, tracestate: tracestateOf(request) },
    ...(webhook === undefined ? {} : { push: toPush(gateway, request, webhook) }),
    payloadAt: "/input",
    idempotency: idempotencyOf({ request, caller }, "submitTask", body),
  });
  return toStarted(run);
};
