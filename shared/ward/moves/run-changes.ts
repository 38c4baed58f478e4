import { derivedId, timestamp } from "#shared/clock";
import type { StoredCase } from "#shared/store/cases";
import { rankOf } from "#shared/store/runs";
import type { RunChange, RunEnd, RunEvent } from "#shared/store/runs";
import { CaseRecord } from "../case-record.ts";
import { spentOn } from "./operation.ts";
import type { OperationRecord } from "./operation.ts";

/** What a move of a case means for its run. Ids follow from the case's version: told twice is told once. */
function eventOf(
  from: StoredCase,
  type: RunEvent["type"],
  detail: Readonly<Record<string, unknown>>,
): RunEvent {
  const { runId, messageId, agent } = new CaseRecord(from);
  return {
    id: derivedId("ward", from.case_id, from.version + 1, type),
    run_id: runId,
    type,
    at: timestamp(),
    message_id: messageId,
    agent,
    detail: { case_id: from.case_id, ...detail },
  };
}

/** The surgery itself, priced into the run. */
export function operated(from: StoredCase, record: OperationRecord): RunChange {
  const { cost, tokens } = spentOn(record.attempts);
  return {
    event: eventOf(from, "operation", {
      number: record.number,
      procedures: record.attempts.map(({ procedure, outcome }) => ({ procedure, outcome })),
      cost,
      tokens,
    }),
    cost,
    tokens,
  };
}

export function quarantined(from: StoredCase, reason: string): RunChange {
  return {
    event: eventOf(from, "quarantined", { reason }),
    moves: { state: "quarantined", rank: rankOf.ward(from.version + 1) },
    ...new CaseRecord(from).branchField,
  };
}

/** A discarded message waits for a person again, and its run goes on waiting with it. */
export function restored(from: StoredCase, reason: string): RunChange {
  return { ...quarantined(from, reason), ...endOf(from, "undo_failed") };
}

/** A case that waited for a person is the surgeon's again. */
export function takenUp(from: StoredCase): RunChange {
  return {
    event: eventOf(from, "in_ward", { reason: "a person asked for another operation" }),
    moves: { state: "in_ward", rank: rankOf.ward(from.version + 1) },
    ...new CaseRecord(from).branchField,
  };
}

/** The dead message's place is taken by a new message. */
export function replaced(
  from: StoredCase,
  by: {
    readonly type: "discharged" | "released" | "rerouted";
    readonly message_id: string;
    readonly agent: string;
    readonly detail: Readonly<Record<string, unknown>>;
  },
): RunChange {
  const { message_id, agent } = by;
  return {
    event: eventOf(from, by.type, { to: agent, as: message_id, ...by.detail }),
    moves: { state: "closed", rank: rankOf.closed() },
    ...new CaseRecord(from).branchField,
    opens: [{ message_id, agent, ...new CaseRecord(from).branchField }],
  };
}

/**
 * The message will not go on. Ranked among the ward's own moves, not as the end of all, so that it can be restored.
 */
export function discarded(from: StoredCase, end: "failed" | "cancelled", reason: string): RunChange {
  return {
    event: eventOf(from, "discarded", { reason }),
    moves: { state: "closed", rank: rankOf.ward(from.version + 1) },
    ...new CaseRecord(from).branchField,
    ...endOf(from, end),
  };
}

/** How a branch of a fan-out ends is not how its run does: its join says that. */
function endOf(from: StoredCase, end: RunEnd): Pick<RunChange, "end"> {
  return new CaseRecord(from).branchField.branch === undefined ? { end } : {};
}
