import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { now } from "#shared/clock";
import { NOTHING, sumOf } from "./fuzz.ts";
import type { FuzzReport } from "./fuzz.ts";

/**
 * `npm run fuzz:texts -- [--texts N] [--workers N] [--seed N] [--failures FILE]`: holds first aid to its laws on texts
 * that it makes, and ends with 1 where a law did not hold.
 */

/** Texts between two reports of a worker. */
const CHUNK = 20_000;
const SAY_MS = 30_000;

const { values } = parseArgs({
  options: {
    texts: { type: "string", default: "1000000" },
    workers: { type: "string", default: "2" },
    seed: { type: "string", default: String(now() % 1_000_000_000) },
    failures: { type: "string" },
  },
});
const [texts, workers, seed] = [Number(values.texts), Number(values.workers), Number(values.seed)];
if (!(texts > 0 && workers > 0 && Number.isInteger(seed))) {
  process.stderr.write("--texts and --workers take a number above 0, --seed a whole one.\n");
  process.exit(2);
}

const chunks = Math.ceil(texts / CHUNK);
let begun = 0;
let sum: FuzzReport = NOTHING;
let saidAt = now();

function lineOf({ texts: done, chars, repaired, refused, broken, ...work }: FuzzReport): string {
  const micros = work.cpuMicros / Math.max(1, done);
  const nanos = (1000 * work.cpuMicros) / Math.max(1, work.steps);
  return (
    `${done.toLocaleString("en")} texts of ${(chars / Math.max(1, done)).toFixed(0)} characters: ${repaired.toLocaleString("en")} repaired, ` +
    `${refused.toLocaleString("en")} refused, ${broken.length} against a law; ${micros.toFixed(0)} µs a text, ` +
    `${(work.cpuMicrosMax / 1000).toFixed(0)} ms at most, ${nanos.toFixed(1)} ns a step`
  );
}

/** Runs one worker until no chunk is left or a law is broken. */
function run(): Promise<void> {
  const worker = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), [String(CHUNK)]);
  return new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("exit", (code) => {
      if (code === 0 || code === null) resolve();
      else reject(new Error(`a worker ended with ${code}`));
    });
    worker.on("message", (report: FuzzReport | null) => {
      if (report !== null) sum = sumOf(sum, report);
      if (now() - saidAt > SAY_MS) {
        saidAt = now();
        process.stdout.write(`${lineOf(sum)}\n`);
      }
      if (begun >= chunks || sum.broken.length > 0) {
        worker.disconnect();
        return;
      }
      begun += 1;
      worker.send(seed + begun);
    });
  });
}

process.stdout.write(`--seed ${seed} --texts ${texts} --workers ${workers}\n`);
await Promise.all(Array.from({ length: workers }, run));
process.stdout.write(`${lineOf(sum)}\n`);
for (const { law, input } of sum.broken)
  process.stdout.write(`${law}: ${JSON.stringify(input.slice(0, 300))}\n`);
if (values.failures !== undefined) writeFileSync(values.failures, `${JSON.stringify(sum.broken, null, 1)}\n`);
if (sum.broken.length > 0) process.exitCode = 1;
