import type { Answer } from "../../data/answers.ts";

export type RunInFull = Answer<"/v1/runs/{run_id}">;

/** What a message did in a stretch of time. `again`: work that failed and was tried again. */
type SpanKind = "wait" | "work" | "again" | "failed" | "ward" | "person";

interface Span {
  readonly kind: SpanKind;
  /** In ms since the run was created. */
  readonly from: number;
  readonly to: number;
}

export interface Row {
  readonly hop: RunInFull["hops"][number];
  readonly spans: readonly Span[];
  /** Together, by kind, in ms. */
  readonly sums: Readonly<Record<SpanKind, number>>;
}

/** Kinds of work by how their delivery ended. */
const WORK: Readonly<Record<string, SpanKind>> = {
  retry: "again",
  postponed: "again",
  rejected: "failed",
  in_ward: "failed",
  quarantined: "failed",
  ended: "failed",
};

/** Where a message is after an event. Absent: nowhere, it is closed. */
const AFTER: Readonly<Record<string, SpanKind>> = {
  retry: "wait",
  postponed: "wait",
  rejected: "ward",
  in_ward: "ward",
  operation: "ward",
  quarantined: "person",
};

/**
 * Lays out the hops of a run over time: between the events of a message lie its deliveries, whose work ended with the
 * event, and before each the time in which it waited for an agent, the surgeon or a person.
 */
export function layHops(
  run: RunInFull,
  nowMs: number,
): { readonly rows: readonly Row[]; readonly totalMs: number } {
  const startMs = Date.parse(run.created_at);
  const endMs = run.ended_at === null ? nowMs : Date.parse(run.ended_at);
  const rows = run.hops.map((hop): Row => {
    const events = (run.events ?? []).filter(({ message_id: id }) => id === hop.message_id);
    const spans: Span[] = [];
    let at = Date.parse(hop.sent_at ?? events[0]?.at ?? run.created_at) - startMs;
    let place: SpanKind | null = "wait";
    for (const { type, at: time, detail } of events) {
      const to = Date.parse(time) - startMs;
      const workMs = Number(detail["ms"] ?? 0) || 0;
      const from = Math.max(at, to - workMs);
      if (place !== null && from > at) spans.push({ kind: place, from: at, to: from });
      if (workMs > 0) spans.push({ kind: WORK[type] ?? "work", from, to });
      if (type !== "submitted" && type !== "accepted") place = AFTER[type] ?? null;
      if (type === "accepted") place = "work";
      at = Math.max(at, to);
    }
    if (place !== null && run.ended_at === null) spans.push({ kind: place, from: at, to: endMs - startMs });
    return { hop, spans, sums: sumsOf(spans) };
  });
  const last = Math.max(endMs - startMs, ...rows.flatMap(({ spans }) => spans.map(({ to }) => to)));
  return { rows, totalMs: Math.max(1, last) };
}

function sumsOf(spans: readonly Span[]): Row["sums"] {
  const sums: Record<SpanKind, number> = { wait: 0, work: 0, again: 0, failed: 0, ward: 0, person: 0 };
  for (const { kind, from, to } of spans) sums[kind] += to - from;
  return sums;
}
