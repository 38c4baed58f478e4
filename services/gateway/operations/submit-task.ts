import { z } from "zod";
import { RequestInvalidError } from "#shared/http";
import { operation, SUBMITTERS } from "../operation.ts";
import { beginTask, findTeam } from "../runs/begin-task.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { digestRequest } from "../runs/digest-request.ts";
import {
  anyValue,
  budgetField,
  constraintsField,
  hopsField,
  idempotencyKeyOf,
  nameField,
  priorityField,
  startedSchema,
  toStarted,
  tracestateOf,
  ttlField,
  userField,
} from "./request-fields.ts";

const taskSchema = z.strictObject({
  team: nameField,
  input: anyValue.meta({ description: "What the contract of the team's first agent asks for." }),
  user: userField.exactOptional(),
  priority: priorityField.exactOptional(),
  constraints: constraintsField.exactOptional(),
  budget: budgetField.exactOptional(),
  ttl_ms: ttlField.exactOptional(),
  max_hops: hopsField.exactOptional(),
  webhook: z.unknown().optional().meta({ description: "Not available yet: refused." }),
});

type Task = z.output<typeof taskSchema>;

/** A task comes in: checked, sealed and accepted before the answer. */
export const submitTask = operation({
  id: "submitTask",
  summary: "Submit a task to a team",
  scopes: SUBMITTERS,
  body: taskSchema,
  status: 202,
  answers: startedSchema,
  async handle({ gateway, body, request, caller, traceparent }) {
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
  },
});

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
