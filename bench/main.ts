import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureChain, QUICK_SETTINGS, SETTINGS } from "./chain/measure.ts";
import { printChainReport, toChainReport } from "./chain/report.ts";
import { printRepairReport } from "./repair/print-repair-report.ts";
import { scoreRepairers } from "./repair/score-repairers.ts";
import { withRedis } from "./with-redis.ts";

/** `npm run bench [-- NAME…] [--quick] [--seed N] [--json FILE]`. Measures; never judges: no figure makes it fail. */

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const BENCHMARKS = {
  async chain(isQuick: boolean) {
    const settings = isQuick ? QUICK_SETTINGS : SETTINGS;
    const figures = await withRedis(say, (url) => measureChain(settings, { url, say }));
    const report = toChainReport(figures, settings);
    printChainReport(report);
    return report;
  },
  async repair() {
    const report = await scoreRepairers(Number(values.seed));
    printRepairReport(report);
    return report;
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "string" },
    quick: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const known = Object.keys(BENCHMARKS);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  say(`There is no benchmark ${unknown.join(", ")}; there are ${known.join(", ")}.`);
  process.exit(2);
}

const results: Record<string, unknown> = {
  machine: { cpus: availableParallelism(), model: cpus()[0]?.model ?? "", node: process.version },
  load_average_before: loadavg()[0],
};
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (positionals.length === 0 || positionals.includes(name)) results[name] = await run(values.quick);
}
results["load_average_after"] = loadavg()[0];
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
