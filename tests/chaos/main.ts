import { parseArgs } from "node:util";
import { CHAPTER_NAMES } from "./plan/chapters.ts";
import type { ChapterName } from "./plan/chapters.ts";
import { runChapters } from "./run-chapters.ts";
import { killStarted } from "./started.ts";

/** `npm run chaos -- --minutes N --seed S`. Its last line is the verdict in figures; its exit status is the result. */

const USAGE = `Usage: npm run chaos -- [--minutes N] [--seed INTEGER] [--per-second N] [--chapters NAME,…]
Chapters: ${CHAPTER_NAMES.join(", ")}. Default: all, dividing the minutes.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    "per-second": { type: "string", default: "8" },
    chapters: { type: "string", default: CHAPTER_NAMES.join(",") },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
const perSecond = Number(values["per-second"]);
const wanted = values.chapters.split(",");
const chapters = CHAPTER_NAMES.filter((name) => wanted.includes(name));
const isKnown = wanted.every((name) => CHAPTER_NAMES.some((one: ChapterName) => one === name));
if (!(minutes > 0 && perSecond > 0 && Number.isInteger(seed) && isKnown)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const INTERRUPTED_EXIT_CODE = 130;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => {
    killStarted();
    process.exit(INTERRUPTED_EXIT_CODE);
  });
}
const isGood = await runChapters({
  chapters,
  seed,
  lengthMs: minutes * 60_000,
  perSecond,
  say: (line) => void process.stdout.write(`${line}\n`),
});
process.exitCode = isGood ? 0 : 1;
