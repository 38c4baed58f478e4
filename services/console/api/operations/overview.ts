import { now } from "#shared/clock";
import { streamEvents as sendEvents } from "#shared/http/server";
import { ChainCheck } from "#shared/people";
import type { Call, Handler } from "../../console.ts";
import { measure, measureCosts } from "../../live/measure.ts";
import { mayStill } from "../guards/guard-requests.ts";
import { auditAction } from "../../audit/audit-changes.ts";

export const showOverview: Handler<"showOverview"> = ({ console }) => measure(console);

/** Lists costs of agents' model calls; of teams that the key is limited to, where it is. */
export const listModelCosts: Handler<"listModelCosts"> = async (call) => {
  const { span } = call.query;
  const { teams } = call.caller;
  const costs = await call.console.store.rates.costs(span);
  return { span, costs: costs.filter(({ team }) => teams === null || teams.includes(team)) };
};

/** Returns the cost of surgery in each of the last hours, the money left in this one, and what its limit holds back. */
export const showCosts: Handler<"showCosts"> = ({ console }) => measureCosts(console);

export const showDoctor: Handler<"showDoctor"> = ({ console }) => console.examine();

/**
 * Server-sent events for the page: `overview` with every tick, and `activity` when the ward's log has a new line. Ends
 * when the session does, or the key that it is read with.
 */
export const streamEvents: Handler<"streamEvents"> = (call) =>
  sendEvents(call.reply, call.console.bounds.heartbeatEveryMs, { events: write(call), compresses: true });

/** Pulled by the socket: a slow page gets the newest tick when it has taken the last. */
async function* write({ console, caller, request, signal }: Call): AsyncGenerator<string, void> {
  const { bounds, live } = console;
  const untilMs = now() + bounds.streamMsMax;
  const leave = live.enter(caller.name);
  try {
    yield "retry: 2000\n\n";
    let seen: Awaited<ReturnType<typeof live.next>> = null;
    for (;;) {
      const tick = await live.next(seen, signal);
      if (tick === null || now() > untilMs || !mayStill(console, request)) return;
      const hasNew = seen !== null && seen.lastLine !== tick.lastLine;
      seen = tick;
      yield format("overview", tick.overview);
      if (hasNew) yield format("activity", {});
    }
  } finally {
    leave();
  }
}

/** JSON text has no line breaks, so one `data:` line is enough. */
function format(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Lists the ward's log, newest first. A process that may write the ward can edit it, unlike the acts of people. */
export const listAudit: Handler<"listAudit"> = async ({ console, query }) => ({
  audit:
    query.before === undefined
      ? await console.store.cases.audit(null, query.limit)
      : await console.store.cases.auditBefore(Date.parse(query.before), query.limit),
});

/** Lists the acts of people, newest first, each held against the one before it; a changed record says so. */
export const listPeopleAudit: Handler<"listPeopleAudit"> = async ({ console, query: { limit } }) => {
  // One more, to hold the oldest of them against.
  const texts = await console.store.people.read({ from: -(limit + 1), limit: limit + 1 });
  const check = new ChainCheck();
  const judged = texts.map((text) => check.take(text));
  return { records: judged.slice(texts.length > limit ? 1 : 0).toReversed() };
};

/** The records as they are stored, oldest first, with what it takes to hold them against each other. */
export const exportPeopleAudit: Handler<"exportPeopleAudit"> = async ({ console, caller, query }) => {
  const { reveals, store } = console;
  // An export is logged outside the records themselves: reading them to verify must not change the chain.
  if (query.offset === 0) {
    reveals.take(caller.person ?? caller.name);
    await auditAction(store, { by: caller.name, action: "audit.read", why: "" });
  }
  return store.people.readWithHead({ from: query.offset, limit: query.limit });
};

/** Lists attempts that the gateway and the console refused, newest first, with clients' addresses. */
export const listRefusals: Handler<"listRefusals"> = async ({ console, query }) => ({
  refusals: await console.store.refusals.list(query.limit),
});
