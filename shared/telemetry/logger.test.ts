import { describe, expect, it } from "vitest";
import { HOSTILE_VALUES } from "#shared/testing";
import { createLogger } from "./index.ts";
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
