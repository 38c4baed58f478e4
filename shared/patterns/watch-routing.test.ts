import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { watchRouting } from "./watch-routing.ts";
import type { RoutingTimes } from "./watch-routing.ts";

function told(times: RoutingTimes): Readonly<Record<string, unknown>> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  watchRouting({ log: pino({ level: "debug" }, stream) }, times);
  return JSON.parse(lines.join(""));
}

it("warns of a decision that took longer than its budget, with the model's share of it", () => {
  const [warning, debugging] = [40, 20];
  expect(told({ tookMs: 201, modelMs: 199 })).toMatchObject({
    level: warning,
    route_ms: 201,
    model_ms: 199,
    budget_ms: 200,
  });
  expect(told({ tookMs: 200, modelMs: 199 }).level).toBe(debugging);
  expect(told({ tookMs: 6, modelMs: 5, budgetMs: 5 }).level).toBe(warning);
});
