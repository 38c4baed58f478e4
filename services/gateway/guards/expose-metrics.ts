import type { Gauge } from "#shared/telemetry";
import type { Gateway } from "../gateway.ts";
import { measure } from "../runs/measure.ts";
import type { Stats } from "../runs/measure.ts";
import { remember } from "../runs/remember.ts";

/** Adds what `/v1/stats` says to the metrics, read when they are asked for. */
export function exposeMetrics(gateway: Gateway): void {
  const { metrics, bounds } = gateway;
  const submitted = metrics.gauge({ name: "suture_runs_submitted", help: "Runs accepted so far." });
  const runs = metrics.gauge({ name: "suture_runs", help: "Runs by status.", labels: ["status"] });
  const messages = metrics.gauge({
    name: "suture_queue_messages",
    help: "Messages in the agents' queues.",
    labels: ["agent", "lane", "state"],
  });
  const outbox = metrics.gauge({
    name: "suture_outbox_entries",
    help: "Committed, not yet delivered.",
    labels: ["slot"],
  });
  const waiters = metrics.gauge({ name: "suture_gateway_waiters", help: "Requests that wait for runs." });
  const balanced = metrics.gauge({
    name: "suture_equation_balanced",
    help: "1 while no run is unaccounted for.",
  });
  const ask = remember(bounds.staleMsMax, () => measure(gateway));
  metrics.collect(async () => {
    waiters.set({}, gateway.waiters.count);
    const stats = await ask();
    submitted.set({}, stats.equation.submitted);
    balanced.set({}, stats.equation.balanced ? 1 : 0);
    for (const [status, count] of Object.entries(stats.runs)) runs.set({ status }, count);
    for (const [slot, count] of Object.entries(stats.outbox)) outbox.set({ slot }, count);
    for (const depth of stats.queues) setDepth(messages, depth);
  });
}

function setDepth(messages: Gauge, depth: Stats["queues"][number]): void {
  const { agent, lane, waiting, active, delayed, failed } = depth;
  for (const [state, count] of Object.entries({ waiting, active, delayed, failed }))
    messages.set({ agent, lane, state }, count);
}
