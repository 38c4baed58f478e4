import type { AgentPresence } from "#shared/store";
import type { Gauge } from "#shared/telemetry";
import type { Gateway } from "../gateway.ts";
import { measure, remember } from "../runs/measure.ts";
import type { Stats } from "#shared/api";
import { now } from "#shared/clock";
import { readMemory, WARD_QUEUE } from "#shared/store";
import { nextWaitingSinceMs } from "#shared/store/queues";

const MICRO = 1_000_000;

/** Adds what `/v1/stats` says to the metrics, read when they are asked for. */
export function exposeMetrics(gateway: Gateway): void {
  const { metrics, bounds } = gateway;
  const submitted = metrics.counter({ name: "suture_runs_submitted_total", help: "Runs accepted so far." });
  const runs = metrics.gauge({ name: "suture_runs", help: "Runs by status.", labels: ["status"] });
  const messages = metrics.gauge({
    name: "suture_queue_messages",
    help: "Messages in the agents' queues.",
    labels: ["agent", "lane", "state"],
  });
  const inbox = metrics.gauge({
    name: "suture_ward_inbox",
    help: "Dead messages that no surgeon has taken in yet.",
  });
  const waiters = metrics.gauge({ name: "suture_gateway_waiters", help: "Requests that wait for runs." });
  const balanced = metrics.gauge({
    name: "suture_equation_balanced",
    help: "1 while no run is unaccounted for.",
  });
  const lost = metrics.gauge({
    name: "suture_messages_lost",
    help: "Messages that runs wait for and nothing holds, as the audit counts.",
  });
  const processes = metrics.gauge({
    name: "suture_agent_processes",
    help: "Live processes of an agent; held ones take no work because of their clock.",
    labels: ["agent", "state"],
  });
  const restarts = metrics.gauge({
    name: "suture_consumer_restarts",
    help: "Silent consumers started anew by the live processes of an agent.",
    labels: ["agent"],
  });
  const surgeryCost = metrics.gauge({
    name: "suture_surgery_cost_this_hour_usd",
    help: "What surgery cost or set aside in this hour.",
  });
  const surgeryPutOff = metrics.gauge({
    name: "suture_surgery_put_off_this_hour",
    help: "Questions to a model that wait for the next hour, because the money of this one is spent.",
  });
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
  gauges: { readonly processes: Gauge; readonly restarts: Gauge; readonly agents: ReadonlySet<string> },
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

function setDepth(messages: Gauge, depth: Stats["queues"][number]): void {
  const { agent, lane, waiting, active, delayed, failed } = depth;
  for (const [state, count] of Object.entries({ waiting, active, delayed, failed }))
    messages.set({ agent, lane, state }, count);
}

/** Adds to the metrics what Redis holds: cases, the age of what waits, and memory. Read when they are asked for. */
export function exposeStore({ metrics, store, teams }: Gateway): void {
  const cases = metrics.gauge({
    name: "suture_ward_cases",
    help: "Cases now in each state; not a total of admissions.",
    labels: ["status"],
  });
  const oldest = metrics.gauge({
    name: "suture_queue_oldest_seconds",
    help: "Age of the message that is taken next, since it was added to its queue; 0 where none waits.",
    labels: ["agent", "lane"],
  });
  const memory = metrics.gauge({
    name: "suture_redis_memory_bytes",
    help: "Memory of the fullest Redis master: used, and max, its maxmemory or its machine's memory.",
    labels: ["kind"],
  });
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
    await Promise.all(
      lanes.map(async (place) => {
        const addedMs = await nextWaitingSinceMs(store, place);
        oldest.set(place, addedMs === null ? 0 : Math.max(0, now() - addedMs) / 1000);
      }),
    );
  });
}
