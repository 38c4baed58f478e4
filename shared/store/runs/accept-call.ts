import { TENANT_DEFAULT } from "#shared/config";
import { derivedId, now, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { entryOf } from "../settlement/effects.ts";
import type { OutboxEntry } from "../settlement/effects.ts";
import { PLAIN_OPTIONS } from "../queues/handoff-queues.ts";
import type { PlainJob } from "../queues/handoff-queues.ts";
import type { RunEvent } from "./run-event.ts";
import type { AcceptRequest, RunAccount } from "./run-record.ts";

/** Keys and arguments of `accept-run.lua`, and the entry that a relay would deliver. */
export interface AcceptCall {
  readonly entry: OutboxEntry;
  readonly call: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] };
}

/** @param first - The first message where the script itself adds it to its queue; null: a relay does. */
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
    ...(request.webhook === null ? {} : { webhook: request.webhook }),
  };
  const call = {
    keys: [
      run,
      `${run}:messages`,
      `${run}:log`,
      keys.runs("counts"),
      keys.runs("index"),
      keys.runs("index:queued"),
      keys.outbox("runs"),
      keys.runs(`idempotency:${request.idempotency?.key ?? ""}`),
    ],
    args: [
      request.runId,
      createdMs,
      request.send.jobId,
      request.send.agent,
      ...(first === null ? [entry.id, JSON.stringify(entry)] : ["", ""]),
      event.id,
      JSON.stringify(event),
      request.idempotency?.digest ?? "",
      request.idempotencyLifeMs,
      request.waitingMax,
      ...(first === null ? ["", "", "", ""] : [first.base, first.data, PLAIN_OPTIONS, first.head]),
      tenant,
      accounts.length,
      ...accounts.flatMap(toArguments),
      ...Object.entries(fields).flat(),
    ],
  };
  return { entry, call };
}

function toArguments({ name, openMax, waitingMax, dayMicroMax }: RunAccount): (string | number)[] {
  return [name, openMax ?? "", waitingMax ?? "", dayMicroMax ?? ""];
}
