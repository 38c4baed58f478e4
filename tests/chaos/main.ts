import { parseArgs } from "node:util";
import { CHAPTER_NAMES, CHAPTERS } from "./plan/chapters.ts";
import type { ChapterName } from "./plan/chapters.ts";
import { killStarted } from "./service-process.ts";
import { nameOf } from "./plan/faults.ts";
import { planFaults } from "./plan/plan-faults.ts";
import { runChaos } from "./run-chaos.ts";
import type { ChaosOutcome } from "./run-chaos.ts";

/** `npm run chaos -- --minutes N --seed S`. Its last line is the verdict in figures; its exit status is the result. */

const USAGE = `Usage: npm run chaos -- [--minutes N] [--seed INTEGER] [--per-second N] [--chapters NAME,…]
Chapters: ${CHAPTER_NAMES.join(", ")}. Default: all, dividing the minutes.
`;

const INTERRUPTED_EXIT_CODE = 130;

/** Options of the command line. */
interface Asked {
  readonly chapters: readonly ChapterName[];
  readonly seed: number;
  /** Divided among the chapters by their shares, in ms. */
  readonly lengthMs: number;
  readonly perSecond: number;
}

/** Shorter chapters have no time for outages of many seconds. */
const OUTAGES_FROM_MS = 90_000;
const SETTLE_MS = 60_000;
/** A fault that was tried this often and never struck is not a fault. */
const TRIES_MAX = 3;

/** Runs chapters; the last line is the verdict, bad where zombies ran and none was refused. @returns whether good. */
async function runChapters(options: Asked): Promise<boolean> {
  const { chapters, seed, lengthMs, perSecond } = options;
  const shares = chapters.reduce((sum, name) => sum + CHAPTERS[name].share, 0);
  const done: ChaosOutcome[] = [];
  const problems: string[] = [];
  for (const name of chapters) {
    const chapter = CHAPTERS[name];
    const trafficMs = Math.round((lengthMs * chapter.share) / shares);
    const plan = planFaults({
      seed,
      deck: chapter.deck,
      lengthMs: trafficMs,
      gapMs: { min: 500, max: 2500 },
      isLong: trafficMs >= OUTAGES_FROM_MS,
    });
    say(`Chapter ${name}: ${plan.length} faults within ${Math.round(trafficMs / 1000)} s.`);
    const outcome = await runChaos({
      chapter,
      seed,
      plan,
      trafficMs,
      perSecond,
      settleMs: SETTLE_MS,
      say,
    });
    done.push(outcome);
    problems.push(...outcome.problems.map((text) => `${name}: ${text}`));
    if (outcome.problems.length > 0) problems.push(`${name}: logs and data are in ${outcome.folder}`);
    say(`Chapter ${name}: ${tell(outcome.figures)}`);
  }
  const injected = done.flatMap((one) => one.injected);
  const tries = Map.groupBy(injected, ({ fault }) => nameOf(fault));
  for (const [name, own] of [...tries].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const struck = own.filter((one) => one.struck).length;
    say(`${name}: ${struck} of ${own.length}`);
    if (struck === 0 && own.length >= TRIES_MAX) problems.push(`${name} never struck anybody`);
  }
  const sums = addUp(done);
  if (done.length === 0) problems.push("no chapter was run");
  const hasPaused = injected.some(({ fault }) => fault.kind === "pause" || fault.kind === "block");
  if (hasPaused && sums["fenced_off"] === 0)
    problems.push("no zombie tried to write: the fence was not tested");
  for (const problem of problems) say(problem);
  if (problems.length > 0) say(`Repeat: ${commandOf(options)}`);
  say(`${problems.length === 0 ? "GOOD" : "BAD"}, seed ${seed}, ${chapters.join("+")}: ${tell(sums)}`);
  return problems.length === 0;
}

function commandOf({ chapters, seed, lengthMs, perSecond }: Asked): string {
  const rest = `--per-second ${perSecond} --chapters ${chapters.join(",")}`;
  return `npm run chaos -- --minutes ${lengthMs / 60_000} --seed ${seed} ${rest}`;
}

/** Sums of counts; of the drains the longest. */
function addUp(outcomes: readonly ChaosOutcome[]): Record<string, number | null> {
  const sums: Record<string, number | null> = {};
  for (const { figures } of outcomes) {
    for (const [name, figure] of Object.entries(figures)) {
      const before = sums[name];
      if (before === undefined) sums[name] = figure;
      else if (before === null || figure === null) sums[name] = null;
      else sums[name] = name.startsWith("drain_") ? Math.max(before, figure) : before + figure;
    }
  }
  return sums;
}

function tell(figures: object): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name} ${figure ?? "never"}`)
    .join(", ");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readArguments(): Asked {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "5" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      "per-second": { type: "string", default: "8" },
      chapters: { type: "string", default: CHAPTER_NAMES.join(",") },
    },
  });
  const seed = Number(values.seed);
  const lengthMs = Number(values.minutes) * 60_000;
  const perSecond = Number(values["per-second"]);
  const wanted = values.chapters.split(",");
  const chapters = CHAPTER_NAMES.filter((name) => wanted.includes(name));
  const isKnown = wanted.every((name) => CHAPTER_NAMES.some((one: ChapterName) => one === name));
  if (!(lengthMs > 0 && perSecond > 0 && Number.isInteger(seed) && isKnown)) {
    process.stderr.write(USAGE);
    process.exit(2);
  }
  return { chapters, seed, lengthMs, perSecond };
}

for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => {
    killStarted();
    process.exit(INTERRUPTED_EXIT_CODE);
  });
}
process.exitCode = (await runChapters(readArguments())) ? 0 : 1;
