import { TENANT_DEFAULT } from "#shared/config";
import { derivedId, now, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { entryOf } from "../settlement/settlement.ts";
import type { OutboxEntry } from "../settlement/settlement.ts";
import { PLAIN_OPTIONS } from "../queues/handoff-queues.ts";
import type { PlainJob } from "../queues/handoff-queues.ts";
import type { acceptRun } from "../scripts/runs.ts";
import { PUSH_PREFIX } from "./push-targets.ts";
import type { RunEvent } from "./run-event.ts";
import type { AcceptRequest } from "./run-record.ts";

/** Arguments of `acceptRun`, and the entry that a relay would deliver. */
interface AcceptCall {
  readonly entry: OutboxEntry;
  readonly call: Parameters<typeof acceptRun.run>[1];
}

/** @param first - The first message if the script itself adds it to its queue; null: a relay delivers it. */
export function toAcceptCall(keys: Keys, request: AcceptRequest, first: PlainJob | null): AcceptCall {
  const run = keys.run(request.runId);
  const createdMs = now();
  const entry = entryOf(derivedId(request.runId, "submitted"), { sends: [request.send] });
  const event: RunEvent = {
    id: entry.id,
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
    first_message_id: request.send.jobId,
    ...(tenant === TENANT_DEFAULT ? {} : { tenant }),
    ...(submittedBy === undefined ? {} : { submitted_by: submittedBy }),
    ...(request.expiresMs === null || request.expiresMs === undefined
      ? {}
      : { expires_ms: request.expiresMs }),
    ...(request.push === undefined ? {} : { [PUSH_PREFIX + request.push.id]: request.push.target }),
  };
  const call = {
    touches: first === null ? [] : [`${first.base}wait`, `${first.base}marker`, first.base + first.jobId],
    run,
    messages: `${run}:messages`,
    log: `${run}:log`,
    runCounts: keys.runs("counts"),
    runIndex: keys.runs("index"),
    queuedIndex: keys.runs("index:queued"),
    pushIndex: keys.runs("index:push"),
    outbox: keys.outbox("runs"),
    idempotency: keys.runs(`idempotency:${request.idempotency?.key ?? ""}`),
    ...toFirstMessage({ messageId: request.send.jobId, job: first, entry }),
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
    accounts: accounts.map(({ name, openMax, waitingMax, dayMicroMax }) => ({
      name,
      openMax: openMax ?? null,
      waitingMax: waitingMax ?? null,
      dayMicroMax: dayMicroMax ?? null,
    })),
    fields,
    pushes: request.push !== undefined,
  };
  return { entry, call };
}

/** Returns the first message for a script: the job, or else the entry. */
export function toFirstMessage(first: {
  readonly messageId: string;
  readonly job: PlainJob | null;
  readonly entry: OutboxEntry | null;
}) {
  const { messageId, job, entry } = first;
  return {
    messageId,
    queueBase: job?.base ?? "",
    data: job?.data ?? "",
    jobOptions: PLAIN_OPTIONS,
    atHead: job?.atHead === true,
    entryId: job === null ? (entry?.id ?? null) : null,
    entry: job === null ? JSON.stringify(entry) : "",
  };
}
