import { now } from "#shared/clock";
import { readMemory, WARD_QUEUE } from "#shared/store";
import { oldestWaitingMs } from "#shared/store/queues";
import type { Gateway } from "../gateway.ts";

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
    const { used, max } = await readMemory(store.redis);
    memory.set({ kind: "used" }, used);
    memory.set({ kind: "max" }, max);
    for (const [status, count] of Object.entries(await store.cases.counts())) cases.set({ status }, count);
    await Promise.all(
      lanes.map(async (place) => {
        const addedMs = await oldestWaitingMs(store, place);
        oldest.set(place, addedMs === null ? 0 : Math.max(0, now() - addedMs) / 1000);
      }),
    );
  });
}
