import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** Resolution of the event loop's delay, in ms. */
const RESOLUTION_MS = 100;
const NANOSECONDS = 1e9;

/** Adds the delay of this process's event loop, its memory and its CPU time to the metrics. */
export function exposeProcess(metrics: Metrics): void {
  const delay = metrics.gauge(
    "suture_event_loop_delay_seconds",
    "Delay of the event loop since the last reading, by quantile.",
    ["quantile"],
  );
  const memory = metrics.gauge("suture_process_memory_bytes", "Resident memory of the process.");
  const cpu = metrics.counter("suture_process_cpu_seconds_total", "CPU time of the process.");
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  metrics.collect(() => {
    for (const quantile of [50, 99]) {
      const delayed = loop.percentile(quantile) / NANOSECONDS - RESOLUTION_MS / 1000;
      delay.set({ quantile: String(quantile / 100) }, Math.max(0, delayed));
    }
    loop.reset();
    memory.set({}, process.memoryUsage.rss());
    const { user, system } = process.cpuUsage();
    cpu.set({}, (user + system) / 1e6);
  });
}
