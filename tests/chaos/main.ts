import { parseArgs } from "node:util";
import { nameOf, planFaults } from "./fault-plan.ts";
import { runChaos } from "./run-chaos.ts";

/** `npm run chaos -- --minutes N --seed S`. Its last line is the verdict in figures; its exit status is the result. */

/** Shorter runs have no time for outages of many seconds. */
const OUTAGES_FROM_MS = 180_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    "per-second": { type: "string", default: "8" },
    "clock-faults": { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const lengthMs = Number(values.minutes) * 60_000;
const perSecond = Number(values["per-second"]);
if (!(lengthMs > 0 && perSecond > 0 && Number.isInteger(seed))) {
  process.stderr.write(
    "Usage: npm run chaos -- [--minutes N] [--seed INTEGER] [--per-second N] [--clock-faults]\n",
  );
  process.exit(2);
}

const outcome = await runChaos({
  seed,
  plan: planFaults({
    seed,
    lengthMs,
    gapMs: { min: 500, max: 4000 },
    isLong: lengthMs >= OUTAGES_FROM_MS,
    hasClockFaults: values["clock-faults"],
  }),
  trafficMs: lengthMs,
  perSecond,
  workMs: 60_000,
  say: (line) => void process.stdout.write(`${line}\n`),
});
const struck = new Map<string, number>();
for (const { fault, struck: didStrike } of outcome.injected) {
  if (didStrike) struck.set(nameOf(fault), (struck.get(nameOf(fault)) ?? 0) + 1);
}
for (const [name, count] of [...struck].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  process.stdout.write(`${name}: ${count}\n`);
const isGood = outcome.problems.length === 0;
if (!isGood) process.stdout.write(`${outcome.problems.join("\n")}\nLogs and data: ${outcome.folder}\n`);
const figures = Object.entries(outcome.figures).map(([name, figure]) => `${name} ${figure ?? "never"}`);
process.stdout.write(`${isGood ? "GOOD" : "BAD"}, seed ${seed}: ${figures.join(", ")}\n`);
process.exitCode = isGood ? 0 : 1;
