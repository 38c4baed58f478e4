import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { withRedis } from "../with-redis.ts";
import { runSoak } from "./run-soak.ts";

/**
 * `npm run soak [-- --runs N] [--per-second N] [--retention-seconds N] [--json FILE]`. Ends by
 * itself; exit code 1 when something was lost or did not come to a plateau.
 */

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A load that hangs must not keep a machine for ever, in ms for each run. */
const LIMIT_MS_PER_RUN = 100;
const LIMIT_MS_MIN = 1_800_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    "retention-seconds": { type: "string", default: "20" },
    "sample-seconds": { type: "string", default: "2" },
    "per-second": { type: "string", default: "200" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
const report = await withRedis({ say }, (url) =>
  runSoak({
    url,
    prefix: "soak",
    runs,
    retentionMs: Number(values["retention-seconds"]) * 1000,
    finishedJobsMax: 20_000,
    sampleEveryMs: Number(values["sample-seconds"]) * 1000,
    outstanding: 200,
    perSecond: Number(values["per-second"]),
    say,
    signal: AbortSignal.timeout(Math.max(LIMIT_MS_MIN, runs * LIMIT_MS_PER_RUN)),
  }),
);
for (const { what, mean, growth } of report.growth)
  console.log(`${what}: mean ${Math.round(mean)}, ${(growth * 100).toFixed(1)} % in the last quarter`);
console.log(JSON.stringify({ counts: report.counts, left: report.left }));
for (const problem of report.problems) console.log(`PROBLEM ${problem}`);
console.log(report.problems.length === 0 ? "Nothing lost; a plateau; nothing left." : "Not as it should be.");
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.problems.length === 0 ? 0 : 1;
