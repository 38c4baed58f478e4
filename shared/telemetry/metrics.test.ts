import { describe, expect, it } from "vitest";
import { MetricMisuseError, Metrics } from "./index.ts";

describe("Metrics", () => {
  it("counts by label, and writes what Prometheus reads", async () => {
    const metrics = new Metrics();
    const runs = metrics.counter({ name: "suture_runs_total", help: "Runs.", labels: ["status"] });
    runs.add({ status: "completed" });
    runs.add({ status: "completed" }, 2);
    runs.add({ status: 'a"b\\c\nd' });
    expect(await metrics.render()).toContain(
      '# HELP suture_runs_total Runs.\n# TYPE suture_runs_total counter\nsuture_runs_total{status="completed"} 3\nsuture_runs_total{status="a\\"b\\\\c\\nd"} 1\n',
    );
  });

  it("counts an observation in its bucket and all wider ones, the edge included", async () => {
    const metrics = new Metrics();
    const seconds = metrics.histogram({ name: "wait_seconds", help: "Wait.", buckets: [0.1, 1] });
    for (const value of [0.1, 0.5, 7]) seconds.observe({}, value);
    const text = await metrics.render();
    for (const line of [
      'wait_seconds_bucket{le="0.1"} 1',
      'wait_seconds_bucket{le="1"} 2',
      'wait_seconds_bucket{le="+Inf"} 3',
      "wait_seconds_sum 7.6",
      "wait_seconds_count 3",
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  it("keeps a bounded number of label sets and says how many it left out", async () => {
    const metrics = new Metrics();
    const calls = metrics.counter({ name: "calls_total", help: "Calls.", labels: ["id"] });
    for (let id = 0; id < 1005; id += 1) calls.add({ id: String(id) });
    const text = await metrics.render();
    expect(text.match(/^calls_total\{/gm)).toHaveLength(1000);
    expect(text).toContain("suture_metric_series_dropped_total 5\n");
  });

  it.each<[string, (metrics: Metrics) => void]>([
    ["a second declaration", (metrics) => [1, 2].map(() => metrics.gauge({ name: "a", help: "" }))],
    ["a missing label", (metrics) => metrics.counter({ name: "a", help: "", labels: ["x"] }).add()],
    ["an undeclared label", (metrics) => metrics.counter({ name: "a", help: "" }).add({ x: "1" })],
    ["a falling counter", (metrics) => metrics.counter({ name: "a", help: "" }).add({}, -1)],
    ["a counter given NaN", (metrics) => metrics.counter({ name: "a", help: "" }).add({}, Number.NaN)],
  ])("refuses %s", (_what, misuse) => {
    expect(() => misuse(new Metrics())).toThrow(MetricMisuseError);
  });
});
