import { TENANT_DEFAULT } from "#shared/config";
import { derivedId, now, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { JobCall } from "../scripts/queues.ts";
import type { acceptRun } from "../scripts/runs.ts";
import { WEBHOOK_FIELD } from "./gateway-fields.ts";
import type { RunEvent } from "./run-event.ts";
import type { AcceptRequest } from "./run-record.ts";

/** Returns the keys and arguments of `acceptRun`. @param first - The first message. */
export function toAcceptCall(
  keys: Keys,
  request: AcceptRequest,
  first: JobCall,
): Parameters<typeof acceptRun.run>[1] {
  const run = keys.run(request.runId);
  const createdMs = now();
  const event: RunEvent = {
    id: derivedId(request.runId, "submitted"),
    run_id: request.runId,
    type: "submitted",
    at: timestamp(createdMs),
    message_id: request.send.jobId,
    agent: request.send.agent,
    detail: { team: request.team, trace_id: request.traceId },
  };
  const { tenant = TENANT_DEFAULT, submittedBy, accounts = [] } = request.owner ?? {};
  const fields = {
    team: request.team,
    trace_id: request.traceId,
    created_ms: createdMs,
    ...(tenant === TENANT_DEFAULT ? {} : { tenant }),
    ...(submittedBy === undefined ? {} : { submitted_by: submittedBy }),
    ...(request.expiresMs === null || request.expiresMs === undefined
      ? {}
      : { expires_ms: request.expiresMs }),
    ...(request.webhook === undefined ? {} : { [WEBHOOK_FIELD]: request.webhook }),
  };
  return {
    touches: ["wait", "prioritized", "pc", "marker", first.jobId].map((name) => first.base + name),
    run,
    messages: `${run}:messages`,
    log: `${run}:log`,
    runCounts: keys.runs("counts"),
    runIndex: keys.runs("index"),
    queuedIndex: keys.runs("index:queued"),
    webhooks: keys.webhooks(),
    idempotency: keys.gateway(`idempotency:${request.idempotency?.key ?? ""}`),
    jobs: [first],
    messageId: request.send.jobId,
    runId: request.runId,
    createdMs,
    agent: request.send.agent,
    eventId: event.id,
    event: JSON.stringify(event),
    digest: request.idempotency?.digest ?? null,
    idempotencyLifeMs: request.idempotencyLifeMs,
    waitingMax: request.waitingMax,
    tenant,
    ownerBase: keys.runs("owner"),
    accounts,
    fields,
    hasWebhook: request.webhook !== undefined,
  };
}
