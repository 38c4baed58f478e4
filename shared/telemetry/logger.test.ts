import { describe, expect, it } from "vitest";
import { HOSTILE_VALUES } from "#shared/testing";
import { createLogger, Metrics } from "./index.ts";
import type { Logger, LoggerOptions } from "./index.ts";

function listen(level: LoggerOptions["level"] = "info"): {
  logger: Logger;
  lines: () => Record<string, unknown>[];
  text: () => string;
} {
  const written: string[] = [];
  const logger = createLogger({
    service: "test",
    level,
    destination: { write: (line) => void written.push(line) },
  });
  return {
    logger,
    text: () => written.join(""),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe("createLogger", () => {
  it("writes one line of JSON with service, level, time and ids", () => {
    const { logger, lines } = listen();
    logger.child({ run_id: "r1" }).info({ message_id: "m1" }, "accepted");
    expect(lines()).toMatchObject([
      { level: "info", service: "test", run_id: "r1", message_id: "m1", msg: "accepted" },
    ]);
    expect(lines()[0]?.["time"]).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it.each(Object.entries(HOSTILE_VALUES))("writes a line for %s, wherever it stands in a call", (_, make) => {
    const { logger, lines } = listen();
    logger.warn({ err: make() }, "as an error");
    logger.warn({ deep: { list: [make()], field: make() } }, "in a field");
    logger.child({ agent: make() }).warn("in a child");
    expect(lines().map(({ msg }) => msg)).toEqual(["as an error", "in a field", "in a child"]);
    expect(lines().every((line) => JSON.stringify(line).length < 10_000)).toBe(true);
  });

  it("hides secrets and payloads at any depth, in calls and in children", () => {
    const { logger, text } = listen();
    logger.child({ apiKey: "hush" }).info({
      a: { b: [{ Authorization: "hush", data_payload: { card: "hush" } }] },
      original_query: "hush",
    });
    logger.info({ url: "redis://user:hush@host:6379/0" });
    expect(text()).not.toContain("hush");
    expect(text()).toContain("redis://[hidden]@host:6379/0");
  });

  it("survives cycles, bytes, big numbers and huge objects", () => {
    const { logger, text } = listen();
    const cycle: Record<string, unknown> = {
      many: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index])),
    };
    cycle["self"] = cycle;
    logger.info({
      cycle,
      bytes: new Uint8Array(1_000_000),
      count: 10n,
      long: "x".repeat(100_000),
      nothing: null,
    });
    expect(text().length).toBeLessThan(20_000);
    expect(() => JSON.parse(text()) as unknown).not.toThrow();
  });

  it("leaves out the text that a parser quotes in its error, and properties that libraries hang on errors", () => {
    const { logger, text } = listen();
    try {
      JSON.parse("hush hush, a customer's words");
    } catch (err) {
      logger.warn({ err: Object.assign(err as Error, { request: { body: "hush" } }) });
    }
    expect(text()).toContain("SyntaxError");
    expect(text()).not.toContain("hush");
  });
});

describe("Metrics", () => {
  it("counts by label, and writes what Prometheus reads", async () => {
    const metrics = new Metrics();
    const runs = metrics.counter("suture_runs_total", "Runs.", ["status"]);
    runs.add({ status: "completed" });
    runs.add({ status: "completed" }, 2);
    runs.add({ status: 'a"b\\c\nd' });
    expect(await metrics.render()).toContain(
      '# HELP suture_runs_total Runs.\n# TYPE suture_runs_total counter\nsuture_runs_total{status="completed"} 3\nsuture_runs_total{status="a\\"b\\\\c\\nd"} 1\n',
    );
  });

  it("counts an observation in its bucket and all wider ones, the edge included", async () => {
    const metrics = new Metrics();
    const seconds = metrics.histogram("wait_seconds", "Wait.");
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
    const calls = metrics.counter("calls_total", "Calls.", ["id"]);
    for (let id = 0; id < 1005; id += 1) calls.add({ id: String(id) });
    const text = await metrics.render();
    expect(text.match(/^calls_total\{/gm)).toHaveLength(1000);
    expect(text).toContain("suture_metric_series_dropped_total 5\n");
  });

  it("leaves out what would have a counter fall", async () => {
    const metrics = new Metrics();
    const calls = metrics.counter("calls_total", "Calls.");
    for (const amount of [2, -1, Number.NaN]) calls.add({}, amount);
    expect(await metrics.render()).toContain("calls_total 2\n");
  });
});
