import { expect, it } from "vitest";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { runSoak } from "../bench/soak/run-soak.ts";

it("leaves nothing of ended runs but their counts once the retention is over, and loses none on the way", async () => {
  const report = await runSoak({
    url: testRedisUrl(),
    prefix: testPrefix(),
    runs: 400,
    retentionMs: 1500,
    finishedJobsMax: 1000,
    sampleEveryMs: 1500,
    outstanding: 100,
    perSecond: 200,
    say: () => undefined,
    signal: AbortSignal.timeout(100_000),
  });
  // A plateau is judged by the long form: here the load is too short to tell, and the test's Redis is shared.
  expect(report.problems.filter((problem) => !/last quarter|plateau/.test(problem))).toEqual([]);
  expect(report.counts).toMatchObject({ submitted: 400, running: 0, in_ward: 0, quarantined: 0 });
  // Four agents' and the ward's fixed keys; a kind that grew by the run would be here by the hundred.
  for (const [kind, keys] of Object.entries(report.left))
    expect({ kind, few: keys < 20 }).toEqual({ kind, few: true });
}, 120_000);
