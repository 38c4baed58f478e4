import type { Answer } from "../../data/api.ts";

export type RunInFull = Answer<"/v1/runs/{run_id}">;

/** Kinds of spans in the life of a message, in words. */
export const KINDS = {
  wait: "waited in a queue",
  work: "work",
  again: "work tried again",
  failed: "work that failed",
  ward: "at the surgeon",
  person: "waited for a person",
} as const;
type Kind = keyof typeof KINDS;

/** `from`, `to`: in ms since the run was created. */
export type Spans = readonly { readonly kind: Kind; readonly from: number; readonly to: number }[];

/** By type of event: kind of the work that ended with it, and where the message is then. Others close it. */
const EVENTS: Readonly<Record<string, readonly [work: Kind, place: Kind | null]>> = {
  submitted: ["work", "wait"],
  accepted: ["work", "work"],
  retry: ["again", "wait"],
  postponed: ["again", "wait"],
  operation: ["work", "ward"],
  rejected: ["failed", "ward"],
  in_ward: ["failed", "ward"],
  quarantined: ["failed", "person"],
  ended: ["failed", null],
};

/**
 * Lays out the hops of a run over time: between the events of a message lie its deliveries, whose work ended with the
 * event, and before each the time in which it waited for an agent, the surgeon or a person.
 */
export function layHops(run: RunInFull, nowMs: number) {
  const startMs = Date.parse(run.created_at);
  const endMs = (run.ended_at === null ? nowMs : Date.parse(run.ended_at)) - startMs;
  const rows = run.hops.map((hop) => {
    const events = (run.events ?? []).filter(({ message_id: id }) => id === hop.message_id);
    const spans: Spans[number][] = [];
    let at = Date.parse(hop.sent_at ?? events[0]?.at ?? run.created_at) - startMs;
    let place: Kind | null = "wait";
    for (const { type, at: time, detail } of events) {
      const to = Date.parse(time) - startMs;
      const workMs = Number(detail["ms"] ?? 0) || 0;
      const from = Math.max(at, to - workMs);
      const [work, next]: readonly [Kind, Kind | null] = EVENTS[type] ?? ["work", null];
      if (place !== null && from > at) spans.push({ kind: place, from: at, to: from });
      if (workMs > 0) spans.push({ kind: work, from, to });
      place = next;
      at = Math.max(at, to);
    }
    if (place !== null && run.ended_at === null) spans.push({ kind: place, from: at, to: endMs });
    return { hop, spans };
  });
  return { rows, totalMs: Math.max(1, endMs, ...rows.flatMap(({ spans }) => spans.map(({ to }) => to))) };
}
