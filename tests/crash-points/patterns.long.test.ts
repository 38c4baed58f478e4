import { describe, expect, it, onTestFinished } from "vitest";
import type { CrashPointName } from "#shared/crash-points";
import type { Team } from "#shared/runtime";
import { testRedis } from "#shared/testing";
import { openCrashDeployment } from "./crash-deployment.ts";
import type { CrashDeployment } from "./crash-deployment.ts";
import foreman, { CALLS as CALLS_OF_FOREMAN } from "./pattern-teams/foreman/team.ts";
import jury, { CALLS as CALLS_OF_JURY } from "./pattern-teams/jury/team.ts";
import wall, { TURNS } from "./pattern-teams/wall/team.ts";
import { WAIT_MS } from "./struck-process.ts";

/**
 * Patterns that ask several at once, go round, or write on a board: their process dies with SIGKILL at the nth passing
 * of a point, another one goes on, and the result is that of a run that nobody struck. What a model answered and was
 * recorded is not paid for again. Fan-outs have a test of their own; a router and a map-reduce pass no other point.
 */

const TEAMS = "tests/crash-points/pattern-teams";
const TEST_MS = 4 * WAIT_MS;

interface Pattern {
  readonly team: Team;
  readonly task: unknown;
  readonly result: unknown;
  /** Calls of a run that nobody struck. */
  readonly calls: number;
  /** Calls that may be under way at once, and are repeated when their process dies. */
  readonly atOnce: number;
  readonly strikes: readonly (readonly [CrashPointName, ...passings: number[]])[];
}

const ANSWERED = "W3:after_answer_before_record";
const COMMITTING = "W9:before_commit";
const WRITTEN = "W22:after_board_write_before_commit";

const PATTERNS: Readonly<Record<string, Pattern>> = {
  "an ensemble": {
    team: jury,
    task: { text: "it burns" },
    result: { severity: "high", best: "sorry", whole: "we are sorry" },
    calls: CALLS_OF_JURY,
    atOnce: 2,
    strikes: [
      [ANSWERED, 1, 4, 8],
      [COMMITTING, 1],
    ],
  },
  "a supervisor": {
    team: foreman,
    task: { walls: 3 },
    result: { built: [1, 2, 0, 3].map((number) => ({ wall: number, by: "sober" })) },
    calls: CALLS_OF_FOREMAN,
    atOnce: 1,
    strikes: [
      [ANSWERED, 2],
      [COMMITTING, 1, 8, 12],
    ],
  },
  "a control shell": {
    team: wall,
    task: { first: "begun" },
    result: { lines: ["begun", "1 wall-left", "2 wall-right", "3 wall-left", "4 wall-right"] },
    calls: 0,
    atOnce: 0,
    strikes: [
      [WRITTEN, 1, TURNS + 1],
      [COMMITTING, 3],
    ],
  },
};

/** A busy machine may hold a process up for longer than the short lock of those that die, which is a death too. */
const SURVIVOR_LOCK_MS = "30000";

/** Counts the repeated deliveries of messages that still wait: a busy process lost its lock. */
async function repeatedDeliveries({ system }: CrashDeployment): Promise<number> {
  const redis = testRedis();
  onTestFinished(() => redis.disconnect());
  const deliveries: number[] = [];
  const scanned = redis.scanStream({ match: `${system.store.keys.prefix}*`, type: "hash", count: 1000 });
  for await (const keys of scanned) {
    // ioredis types stream items loosely; a scan of keys gives lists of strings.
    const starts = await Promise.all((keys as string[]).map((key) => redis.hget(key, "ats")));
    deliveries.push(...starts.filter((times) => times !== null).map(Number));
  }
  expect(deliveries).not.toEqual([]);
  return deliveries.reduce((repeats, times) => repeats + times - 1, 0);
}

const deaths = Object.entries(PATTERNS).flatMap(([name, pattern]) =>
  pattern.strikes.flatMap(([point, ...passings]) => passings.map((nth) => ({ name, pattern, point, nth }))),
);

describe("a process that dies over a pattern", () => {
  it.each(deaths)(
    "$name, at $point, passing $nth",
    async ({ pattern, point, nth }) => {
      const deployment = await openCrashDeployment(pattern.team, TEAMS);
      // Every agent is answered by its own stand-in, through a real endpoint.
      deployment.model.behave = () => null;
      const struck = deployment.spawn("agents", { strike: { point, action: "kill", nth } });
      const { runId } = await deployment.system.submit(pattern.task);
      await struck.untilStruck();
      const repeats = await repeatedDeliveries(deployment);
      deployment.spawn("agents", { env: { SUTURE_LOCK_MS: SURVIVOR_LOCK_MS } });
      expect(await deployment.untilEnd(runId)).toMatchObject({ status: "completed", result: pattern.result });
      const paid = deployment.model.seen.length;
      expect(paid).toBeGreaterThanOrEqual(pattern.calls);
      expect(paid).toBeLessThanOrEqual(pattern.calls + (1 + repeats) * pattern.atOnce);
      await deployment.checkBooks({ completed: 1 });
    },
    TEST_MS,
  );
});
