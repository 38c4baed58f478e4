import { timestamp } from "#shared/clock";
import type { ListedRun, RunEvent, RunRecord } from "#shared/store/runs";
import { readDetail } from "../steps/plan-steps.ts";
import type { AnswerOf } from "../operation.ts";
import type { Hop, RunSummary, RUNS_SEEN } from "../runs.ts";

export function summarise(record: ListedRun): RunSummary {
  return {
    run_id: record.run_id,
    trace_id: record.trace_id,
    team: record.team,
    status: record.status,
    created_at: timestamp(record.created_ms),
    ended_at: record.ended_ms === null ? null : timestamp(record.ended_ms),
    billing: { cost_so_far: record.cost, tokens_consumed: record.tokens, currency: "USD" },
    waiting: record.messages,
    ...(record.unreadable === undefined ? {} : { unreadable: [...record.unreadable] }),
  };
}

type RunView = AnswerOf<(typeof RUNS_SEEN)["showRun"]>;

/** A run with its hops, which are read from its log. @param how.hasEvents - Adds the log itself. Default: no. */
export function viewRun(
  record: RunRecord,
  events: readonly RunEvent[],
  { hasEvents = false }: { readonly hasEvents?: boolean } = {},
): RunView {
  const hops = deriveHops(events);
  const rehearsed = hops.some(({ model }) => model?.startsWith(REHEARSED) === true);
  const view = { ...summarise(record), result: record.result, error: record.error, rehearsed, hops };
  return hasEvents ? { ...view, events } : view;
}

/** Stand-ins answer under model names that begin so, whatever model was asked for. */
const REHEARSED = "rehearsal-";

/** Events that say how a delivery ended or where the message went; the others are only steps on the way. */
const SETTLING: ReadonlySet<RunEvent["type"]> = new Set([
  "completed",
  "handed_off",
  "rejected",
  "retry",
  "postponed",
  "in_ward",
  "discharged",
  "quarantined",
  "released",
  "discarded",
  "rerouted",
  "ended",
]);

/** A run's hops from its events, in the order in which their messages first appear. Pure. */
export function deriveHops(events: readonly RunEvent[]): Hop[] {
  const hops = new Map<string, Hop>();
  for (const event of events) {
    if (event.message_id === null) continue;
    const known = hops.get(event.message_id) ?? newHop(event.message_id, event.agent);
    hops.set(event.message_id, addEvent(known, event));
  }
  return [...hops.values()];
}

/** A message of which nothing is known but where it goes. */
export function newHop(message_id: string, agent: string | null): Hop {
  return {
    message_id,
    agent,
    hop: null,
    attempt: 0,
    contract: null,
    sent_at: null,
    accepted_at: null,
    waited_ms: null,
    ended_at: null,
    ms: 0,
    tokens: 0,
    cost: 0,
    model: null,
    outcome: null,
    failure: null,
    next: [],
  };
}

function addEvent(hop: Hop, event: RunEvent): Hop {
  const said = readDetail(event);
  const isSettling = SETTLING.has(event.type);
  const accepted_at = hop.accepted_at ?? (event.type === "accepted" ? event.at : said.accepted_at);
  const sent_at = hop.sent_at ?? said.sent_at;
  return {
    ...hop,
    agent: hop.agent ?? event.agent,
    hop: hop.hop ?? said.hop,
    attempt: Math.max(hop.attempt, said.attempt ?? 0),
    contract: hop.contract ?? said.contract,
    sent_at,
    accepted_at,
    waited_ms: hop.waited_ms ?? gapOf(sent_at, accepted_at),
    ended_at: isSettling ? event.at : hop.ended_at,
    ms: hop.ms + (said.ms ?? 0),
    tokens: hop.tokens + (said.tokens ?? 0),
    cost: hop.cost + (said.cost ?? 0),
    model: said.model ?? hop.model,
    outcome: isSettling ? event.type : hop.outcome,
    failure: isSettling ? said.failure : hop.failure,
    next: said.next ?? hop.next,
  };
}

/** Milliseconds; clocks of two machines may differ a little, so never less than none. */
function gapOf(sentAt: string | null, acceptedAt: string | null): number | null {
  if (sentAt === null || acceptedAt === null) return null;
  const gapMs = Date.parse(acceptedAt) - Date.parse(sentAt);
  return Number.isFinite(gapMs) ? Math.max(0, gapMs) : null;
}
