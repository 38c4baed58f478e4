import { z } from "zod";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { deriveHops, newHop } from "../runs/derive-hops.ts";
import type { Hop } from "#shared/api";
import { artifactsOfResult } from "./artifacts.ts";
import type { Step } from "#shared/api";

/** Events after which a message is done with: an agent settled it, or another message took its place. */
const CLOSING: ReadonlySet<RunEvent["type"]> = new Set([
  "completed",
  "handed_off",
  "ended",
  "discharged",
  "released",
  "rerouted",
  "discarded",
]);

/** Whom a step that is not done waits for, by what happened to its message last. */
const WAITS_FOR: Readonly<Record<string, string>> = {
  retry: "retry",
  postponed: "retry",
  rejected: "surgeon",
  in_ward: "surgeon",
  quarantined: "person",
};

/**
 * The steps of a run: one for each message that an agent works on, those that are done first, in the order in which
 * they were done, so that a step once seen at its place stays there. Pure.
 */
export function viewSteps(record: RunRecord, events: readonly RunEvent[]): Step[] {
  const hops = deriveHops(events);
  const isEnded = ENDED_STATUSES.includes(record.status);
  const closed = [
    ...new Set(events.filter(({ type }) => CLOSING.has(type)).map(({ message_id }) => message_id)),
  ];
  const done = closed.flatMap((id) => hops.filter((hop) => hop.message_id === id));
  const others = hops.filter((hop) => !closed.includes(hop.message_id));
  const inOrder = [...done, ...others, ...unseen(events, hops)];
  return inOrder.map((hop, at) =>
    viewStep(record, hop, {
      isDone: isEnded || at < done.length,
      isLast: isEnded && at === inOrder.length - 1,
    }),
  );
}

const followed = z.looseObject({
  next: z.array(z.object({ message_id: z.string(), agent: z.string() })).catch([]),
  as: z.string().nullable().catch(null),
  to: z.string().nullable().catch(null),
});

/**
 * Messages that others led to, by a handoff or in the place of a dead message, and that nobody has taken up: their own
 * events begin when an agent does.
 */
function unseen(events: readonly RunEvent[], hops: readonly Hop[]): Hop[] {
  const seen = new Set(hops.map(({ message_id }) => message_id));
  const led = new Map<string, string>();
  for (const { detail } of events) {
    const { next, as, to } = followed.parse(detail);
    for (const { message_id, agent } of next) led.set(message_id, agent);
    if (as !== null && to !== null) led.set(as, to);
  }
  return [...led].filter(([id]) => !seen.has(id)).map(([id, agent]) => newHop(id, agent));
}

function viewStep(
  record: RunRecord,
  hop: Hop,
  { isDone, isLast }: { readonly isDone: boolean; readonly isLast: boolean },
): Step {
  const { message_id, agent, next, ...account } = hop;
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
      next,
      // What is done does not change any more.
      ...(isDone && !isLast ? {} : { run_status: record.status }),
      waiting_for: isDone ? null : (WAITS_FOR[hop.outcome ?? ""] ?? "agent"),
      ...(isLast && record.error !== null ? { error: record.error } : {}),
    },
    artifacts: isLast ? artifactsOfResult(record).map(({ artifact }) => artifact) : [],
    is_last: isLast,
  };
}

/** What a run came to, as text: its result, or why there is none. */
function endOf({ status, result, error }: RunRecord): string {
  if (status === "completed") return typeof result === "string" ? result : JSON.stringify(result);
  const told = typeof error === "object" && error !== null && "message" in error ? error.message : null;
  return typeof told === "string" ? `${status}: ${told}` : status;
}

function outputOf({ outcome, next }: Hop): string | null {
  if (outcome === null) return null;
  return next.length === 0 ? outcome : `handed on to ${next.map(({ agent }) => agent).join(", ")}`;
}
