import type { Artifact, Hop, Step } from "#shared/api";
import { deriveHops, newHop } from "#shared/api/run-views";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";

/** Events after which a message is done with: an agent settled it, or another message took its place. */
const CLOSING = new Set("completed handed_off ended discharged released rerouted discarded".split(" "));

/** Whom a step that is not done waits for, by what happened to its message last. Default: its agent. */
const WAITS_FOR: Readonly<Record<string, string>> = {
  retry: "retry",
  postponed: "retry",
  rejected: "surgeon",
  in_ward: "surgeon",
  quarantined: "person",
};

/**
 * Returns the steps of a run: one for each message that an agent works on, those that are done first, in the order in
 * which they were done, so that a step once seen at its place stays there; last those that nobody has taken up.
 */
export function viewSteps(record: RunRecord, events: readonly RunEvent[]): Step[] {
  const hops = deriveHops(events);
  const isEnded = ENDED_STATUSES.includes(record.status);
  const seen = new Set(hops.map(({ message_id }) => message_id));
  const closed = new Set(events.filter(({ type }) => CLOSING.has(type)).map(({ message_id }) => message_id));
  const done = [...closed].flatMap((id) => hops.filter(({ message_id }) => message_id === id));
  const inOrder = [
    ...done,
    ...hops.filter(({ message_id }) => !closed.has(message_id)),
    ...hops
      .flatMap(({ next }) => next.filter(({ message_id }) => !seen.has(message_id)))
      .map(({ message_id, agent }) => newHop(message_id, agent)),
  ];
  return inOrder.map((hop, at) => {
    const isLast = isEnded && at === inOrder.length - 1;
    return viewStep(record, hop, { isDone: isEnded || at < done.length, isLast });
  });
}

function viewStep(
  record: RunRecord,
  hop: Hop,
  { isDone, isLast }: { readonly isDone: boolean; readonly isLast: boolean },
): Step {
  const { message_id, agent, ...account } = hop;
  return {
    input: null,
    additional_input: {},
    task_id: record.run_id,
    step_id: message_id,
    name: agent,
    status: isDone ? "completed" : hop.accepted_at === null && hop.outcome === null ? "created" : "running",
    output: isLast ? endOf(record) : outputOf(hop),
    additional_output: {
      ...account,
      // A step that is done does not change any more.
      ...(isDone && !isLast ? {} : { run_status: record.status }),
      waiting_for: isDone ? null : (WAITS_FOR[hop.outcome ?? ""] ?? "agent"),
      ...(isLast && record.error !== null ? { error: record.error } : {}),
    },
    artifacts: isLast ? artifactsOf(record) : [],
    is_last: isLast,
  };
}

/** Returns a run's result, or why there is none, as text. */
function endOf({ status, result, error }: RunRecord): string {
  if (status === "completed") return typeof result === "string" ? result : JSON.stringify(result);
  const told = typeof error === "object" && error !== null && "message" in error ? error.message : null;
  return typeof told === "string" ? `${status}: ${told}` : status;
}

function outputOf({ outcome, next }: Hop): string | null {
  return next.length === 0 ? outcome : `handed on to ${next.map(({ agent }) => agent).join(", ")}`;
}

/** Returns a completed run's result as JSON, which is all that a task leaves. An id names its run. */
export function artifactsOf({ run_id, status }: RunRecord): Artifact[] {
  if (status !== "completed") return [];
  const artifact_id = `${run_id}.result`;
  return [{ artifact_id, agent_created: true, file_name: "result.json", relative_path: null }];
}
