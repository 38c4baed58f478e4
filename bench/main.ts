// First, as in every service: what it does for strings must be done before ioredis is loaded.
import { areStringsFast } from "#shared/store";
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import type { BenchmarkName } from "./benchmarks.ts";
import type { Measurement, Results } from "./page/write-page.ts";
import { publish } from "./page/write-page.ts";

/**
 * `npm run bench -- NAME… [--quick] [--failures FILE] [--checkout FOLDER] [--json FILE]
 * [--publish]`. Measures; never judges: no figure makes it fail.
 */

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: "string" },
    json: { type: "string" },
    publish: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    failures: { type: "string" },
  },
});
// BENCHMARKS is a constant with exactly these keys.
const known = Object.keys(BENCHMARKS) as BenchmarkName[];

function printWhatThereIs(print: (line: string) => void): void {
  print("npm run bench -- NAME… [--quick] [--json FILE] [--publish], where NAME is one or more of:\n");
  for (const name of known) print(`  ${name.padEnd(8)}  ${BENCHMARKS[name].about}`);
  print("  all       everything above but `beside`, one after the other\n");
  print("--publish writes the figures into docs/performance.md and its JSON.");
  print("--quick takes a minute or so and shows that all is well; its figures are not for telling others.");
}

const unknown = positionals.filter((name) => name !== "all" && !known.some((each) => each === name));
if (positionals.length === 0) {
  printWhatThereIs(console.log);
} else if (unknown.length > 0) {
  say(`There is no benchmark ${unknown.join(", ")}.\n`);
  printWhatThereIs(say);
  process.exitCode = 2;
} else {
  if (!areStringsFast)
    say(
      "ioredis was loaded first, or is of another version: first aid is measured slower than services have it.",
    );
  const wanted = known.filter(
    (name) => (positionals.includes("all") && name !== "beside") || positionals.includes(name),
  );
  const machine = {
    cpus: availableParallelism(),
    model: cpus()[0]?.model ?? "",
    memory_gib: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
  };
  const measured: Record<string, unknown> = {};
  const measurements: Record<string, Measurement> = {};
  for (const name of wanted) {
    const before = loadavg()[0] ?? Number.NaN;
    const measuredAt = new Date().toISOString();
    measured[name] = await BENCHMARKS[name].run({
      isQuick: values.quick,
      failures: values.failures,
      checkout: values.checkout,
      say,
    });
    measurements[name] = {
      measured_at: measuredAt,
      is_quick: values.quick,
      load_average_before: before,
      load_average_after: loadavg()[0] ?? Number.NaN,
      machine,
    };
  }
  const results: Results = { measurements, ...measured };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  if (values.publish) publish(results);
}
