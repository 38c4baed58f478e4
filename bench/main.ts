// First, as in every service: what it does for strings must be done before ioredis is loaded.
import { areStringsFast } from "#shared/store";
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import type { BenchmarkName } from "./benchmarks.ts";

/**
 * `npm run bench -- NAME… [--quick] [--failures FILE] [--checkout FOLDER] [--json FILE]`. Measures; never judges: no
 * figure makes it fail.
 */

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: "string" },
    json: { type: "string" },
    quick: { type: "boolean", default: false },
    failures: { type: "string" },
  },
});
// BENCHMARKS is a constant with exactly these keys.
const known = Object.keys(BENCHMARKS) as BenchmarkName[];

function printWhatThereIs(print: (line: string) => void): void {
  print("npm run bench -- NAME… [--quick] [--json FILE], where NAME is one or more of:\n");
  for (const name of known) print(`  ${name.padEnd(8)}  ${BENCHMARKS[name].about}`);
  print("  all       everything above but `beside`, one after the other\n");
  print("Tables are printed as Markdown, as docs/performance.md holds them.");
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
  const measured: Record<string, unknown> = {};
  for (const name of wanted) {
    const { quick: isQuick, failures, checkout } = values;
    const began = { at: new Date().toISOString(), load: loadOf() };
    measured[name] = await BENCHMARKS[name].run({ isQuick, failures, checkout, say });
    console.log(`\n${describeMeasurement(began, isQuick)}`);
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`);
}

/** Returns the machine's load average over the last minute. More than its cores: others were busy on it. */
function loadOf(): string {
  return (loadavg()[0] ?? Number.NaN).toFixed(1);
}

/** Says when, on which machine and beside which load a benchmark was run. */
function describeMeasurement(
  began: { readonly at: string; readonly load: string },
  isQuick: boolean,
): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const on = `${availableParallelism()} cores (${cpu?.model ?? "model not told"}), ${memory} GiB, Node ${process.version}`;
  const warning = isQuick ? " A quick run: its figures show that all is well, and no more." : "";
  const when = began.at.slice(0, 16).replace("T", " ");
  return `Measured ${when} UTC on ${on}; load average ${began.load} before and ${loadOf()} after.${warning}`;
}
