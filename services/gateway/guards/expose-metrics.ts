import type { AgentPresence } from "#shared/store";
import { exposeProcess } from "#shared/telemetry";
import type { Gauge } from "#shared/telemetry";
import type { Gateway } from "../gateway.ts";
import { measure, remember } from "../runs/measure.ts";
import type { Stats } from "#shared/api";
import { now } from "#shared/clock";
import { readMemory, WARD_QUEUE } from "#shared/store";
import { nextWaitingSinceMs } from "#shared/store/queues";

const MICRO = 1_000_000;
/** States in which a case waits for the surgeon or for a person. */
const WAITING_STATUSES = ["admitted", "quarantined"] as const;

/** Returns an age in seconds. @param sinceMs - Null: of nothing. */
const ageOf = (sinceMs: number | null): number =>
  sinceMs === null ? 0 : Math.max(0, now() - sinceMs) / 1000;

/** Adds what `/v1/stats` says to the metrics, read when they are asked for. */
export function exposeMetrics(gateway: Gateway): void {
  const { metrics, bounds } = gateway;
  exposeProcess(metrics);
  const submitted = metrics.counter("suture_runs_submitted_total", "Runs accepted so far.");
  const runs = metrics.gauge("suture_runs", "Runs by status.", ["status"]);
  const messages = metrics.gauge("suture_queue_messages", "Messages in the agents' queues.", [
    "agent",
    "lane",
    "state",
  ]);
  const inbox = metrics.gauge("suture_ward_inbox", "Dead messages that no surgeon has taken in yet.");
  const waiters = metrics.gauge("suture_gateway_waiters", "Requests that wait for runs.");
  const balanced = metrics.gauge("suture_equation_balanced", "1 while no run is unaccounted for.");
  const lost = metrics.gauge(
    "suture_messages_lost",
    "Messages that runs wait for and nothing holds, as the audit counts.",
  );
  const processes = metrics.gauge(
    "suture_agent_processes",
    "Live processes of an agent; held ones take no work because of their clock.",
    ["agent", "state"],
  );
  const restarts = metrics.gauge(
    "suture_consumer_restarts",
    "Silent consumers started anew by the live processes of an agent.",
    ["agent"],
  );
  const surgeryCost = metrics.gauge(
    "suture_surgery_cost_this_hour_usd",
    "What surgery cost or set aside in this hour.",
  );
  const surgeryPutOff = metrics.gauge(
    "suture_surgery_put_off_this_hour",
    "Questions to a model that wait for the next hour, because the money of this one is spent.",
  );
  const ask = remember(bounds.staleMsMax, () => measure(gateway));
  metrics.collect(async () => {
    waiters.set({}, gateway.waiters.count);
    const stats = await ask();
    submitted.set({}, stats.equation.submitted);
    balanced.set({}, stats.equation.balanced ? 1 : 0);
    lost.set({}, stats.equation.lost);
    for (const [status, count] of Object.entries(stats.runs)) runs.set({ status }, count);
    inbox.set({}, stats.inbox);
    for (const depth of stats.queues) setDepth(messages, depth);
    const agents = new Set(stats.queues.map(({ agent }) => agent));
    const { costs } = gateway.store.cases;
    surgeryCost.set({}, (await costs.spentThisHour()) / MICRO);
    surgeryPutOff.set({}, (await costs.heldThisHour())?.refusals ?? 0);
    setLiveness({ processes, restarts, agents }, await gateway.store.registry.live());
  });
}

/** Agents that nobody works for any more are told as 0, not as what they last were. */
function setLiveness(
  gauges: {
    readonly processes: Gauge<"agent" | "state">;
    readonly restarts: Gauge<"agent">;
    readonly agents: ReadonlySet<string>;
  },
  live: readonly AgentPresence[],
): void {
  const byAgent = Map.groupBy(live, (presence) => presence.agent);
  for (const agent of gauges.agents.union(new Set(byAgent.keys()))) {
    const own = byAgent.get(agent) ?? [];
    const held = own.filter((presence) => presence.state === "held").length;
    gauges.processes.set({ agent, state: "held" }, held);
    gauges.processes.set({ agent, state: "working" }, own.length - held);
    gauges.restarts.set(
      { agent },
      own.reduce((sum, presence) => sum + (presence.restarts ?? 0), 0),
    );
  }
}

function setDepth(messages: Gauge<"agent" | "lane" | "state">, depth: Stats["queues"][number]): void {
  const { agent, lane, waiting, active, delayed, failed } = depth;
  for (const [state, count] of Object.entries({ waiting, active, delayed, failed }))
    messages.set({ agent, lane, state }, count);
}

/** Adds to the metrics what waits for the archive, where there is one. */
export function exposeArchive({ metrics, store, archive }: Gateway): void {
  if (!archive) return;
  const up = metrics.gauge("suture_archive_up", "1 while the archive's PostgreSQL answers.");
  const waiting = metrics.gauge(
    "suture_archive_waiting_runs",
    "Ended runs in Redis whose time to leave has come, or that their cases hold there.",
  );
  metrics.collect(async () => {
    up.set({}, archive.db.failure === null ? 1 : 0);
    const counts = store.awake.map(({ leavingRuns }) => leavingRuns.waiting(archive.afterMs));
    waiting.set(
      {},
      (await Promise.all(counts)).reduce((sum, count) => sum + count, 0),
    );
  });
}

/** Adds to the metrics what Redis holds: cases, the age of what waits, and memory. Read when they are asked for. */
export function exposeStore({ metrics, store, teams }: Gateway): void {
  const cases = metrics.gauge("suture_ward_cases", "Cases now in each state; not a total of admissions.", [
    "status",
  ]);
  const oldestCase = metrics.gauge(
    "suture_ward_oldest_seconds",
    "Age of the oldest case in a state, since it was admitted; 0 where there is none.",
    ["status"],
  );
  const oldest = metrics.gauge(
    "suture_queue_oldest_seconds",
    "Age of the message that is taken next, since it was added to its queue; 0 where none waits.",
    ["agent", "lane"],
  );
  const memory = metrics.gauge(
    "suture_redis_memory_bytes",
    "Memory of the fullest Redis master: used, and max, its maxmemory or its machine's memory.",
    ["kind"],
  );
  const agents = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
  const lanes = [
    ...agents.flatMap((agent) => [{ agent, lane: "fresh" } as const, { agent, lane: "retry" } as const]),
    { agent: WARD_QUEUE, lane: "ward" } as const,
  ];
  metrics.collect(async () => {
    const memories = await Promise.all(store.awake.map(({ redis }) => readMemory(redis)));
    const [{ used, max } = { used: 0, max: 0 }] = memories.toSorted(
      (a, b) => b.used / b.max - a.used / a.max,
    );
    memory.set({ kind: "used" }, used);
    memory.set({ kind: "max" }, max);
    for (const [status, count] of Object.entries(await store.cases.counts())) cases.set({ status }, count);
    await Promise.all([
      ...lanes.map(async (place) => oldest.set(place, ageOf(await nextWaitingSinceMs(store, place)))),
      ...WAITING_STATUSES.map(async (status) =>
        oldestCase.set({ status }, ageOf(await store.cases.oldestMs({ kind: "status", status }))),
      ),
    ]);
  });
}
