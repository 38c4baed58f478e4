import { printRepairReport } from "./print-repair-report.ts";
import { scoreRepairers } from "./score-repairers.ts";

/**
 * The scorecard of first aid: seeded damage on good answers, against what a careful application does today
 * (jsonrepair, then validation). `node bench/repair/main.ts [seed] [answers]`. These are our own damages: a
 * check on ourselves, not a measure against public suites.
 */
const [seed = "1", answers = "20"] = process.argv.slice(2);
printRepairReport(scoreRepairers({ seed: Number(seed), answers: Number(answers) }));
