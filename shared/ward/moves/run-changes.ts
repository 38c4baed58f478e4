import { derivedId, timestamp } from "#shared/clock";
import type { StoredCase } from "#shared/store/cases";
import { rankOf } from "#shared/store/runs";
import type { RunChange, RunEnd, RunEvent } from "#shared/store/runs";
import { CaseRecord } from "../case-record.ts";
import { spentOn } from "./operation.ts";
import type { OperationRecord } from "./operation.ts";

/** Returns the run event of a case's move. Its id follows from the case's version, so that a repeat is idempotent. */
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

/** Reports an operation and its cost to the run. */
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

/** Reports a discarded message that is quarantined again; its run continues to wait for it. */
export function restored(from: StoredCase, reason: string): RunChange {
  return { ...quarantined(from, reason), ...endOf(from, "undo_failed") };
}

/** Reports that a quarantined case is with the surgeon again. */
export function reclaimed(from: StoredCase): RunChange {
  return {
    event: eventOf(from, "in_ward", { reason: "a person asked for another operation" }),
    moves: { state: "in_ward", rank: rankOf.ward(from.version + 1) },
    ...new CaseRecord(from).branchField,
  };
}

/** Reports that a new message replaces the dead one. */
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

/** Reports a discarded message. Ranked among the ward's moves rather than as closed, so that it can be restored. */
export function discarded(from: StoredCase, end: "failed" | "cancelled", reason: string): RunChange {
  return {
    event: eventOf(from, "discarded", { reason }),
    moves: { state: "closed", rank: rankOf.ward(from.version + 1) },
    ...new CaseRecord(from).branchField,
    ...endOf(from, end),
  };
}

/** The end of a branch is not the end of its run: its join decides that. */
function endOf(from: StoredCase, end: RunEnd): Pick<RunChange, "end"> {
  return new CaseRecord(from).branchField.branch === undefined ? { end } : {};
}
