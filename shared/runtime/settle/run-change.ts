import { now, timestamp } from "#shared/clock";
import type { Failure } from "#shared/errors";
import type { Hold } from "#shared/store/ledger";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { branchFieldOf } from "../deliver/branch-field.ts";
import type { Delivery } from "../deliver/delivery.ts";

/**
 * Returns the facts of every settled event: hop, times, cost. Repeats the acceptance, in case its notice was lost.
 */
function factsOf(delivery: Delivery): Readonly<Record<string, unknown>> {
  const meta = delivery.message?.envelope.meta;
  const { cost, tokens } = delivery.spent.since(delivery.record.billed);
  return {
    hop: meta?.hop_count ?? null,
    attempt: delivery.attempt,
    contract: meta?.contract ?? null,
    sent_at: meta?.timestamp ?? null,
    accepted_at: delivery.record.acceptedAt ?? timestamp(delivery.startedMs),
    ms: now() - delivery.startedMs,
    cost,
    tokens,
    ...delivery.spent.asked,
  };
}

/** Returns the event's id, one per delivery and kind, so that a repeat is idempotent. */
export function eventIdOf({ messageId, jobId }: Hold, type: RunChange["event"]["type"]): string {
  return jobId === messageId ? `${messageId}/${type}` : `${messageId}/${jobId}/${type}`;
}

export type ChangeParts = Pick<RunChange, "moves" | "opens" | "end" | "result" | "error" | "branch"> & {
  readonly detail: Readonly<Record<string, unknown>>;
};

export function changeOf(
  delivery: Delivery,
  type: RunChange["event"]["type"],
  parts: ChangeParts,
): RunChange {
  const { hold, place, message } = delivery;
  const { detail, ...rest } = parts;
  const { branch } = branchFieldOf(message?.envelope.meta);
  return {
    event: {
      id: eventIdOf(hold, type),
      run_id: hold.runId,
      type,
      at: timestamp(),
      message_id: hold.messageId,
      agent: place.agent.name,
      detail: { ...factsOf(delivery), ...detail },
    },
    ...(branch === undefined ? rest : ofBranch(rest, branch)),
    ...delivery.spent.since(delivery.record.billed),
    starts: true,
  };
}

/** The end of a branch is not the end of its run: its join decides that. */
function ofBranch(
  { moves, opens }: Omit<ChangeParts, "detail">,
  branch: string,
): Omit<ChangeParts, "detail"> {
  return { branch, ...(moves === undefined ? {} : { moves }), ...(opens === undefined ? {} : { opens }) };
}

export function closingChange(
  delivery: Delivery,
  type: RunChange["event"]["type"],
  parts: ChangeParts,
): RunChange {
  return changeOf(delivery, type, { ...parts, moves: { state: "closed", rank: rankOf.closed() } });
}

export function failureDetail(failure: Failure | null): Readonly<Record<string, unknown>> {
  if (failure === null) return {};
  return {
    class: failure.failure_class,
    code: failure.code,
    reason: failure.message,
    paths: failure.issues.map((i) => i.path),
  };
}
