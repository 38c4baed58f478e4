import type { Command } from "commander";
import { EXIT } from "../end-with.ts";
import type { EvalOptions } from "../eval/run-eval.ts";
import { readAmount } from "../read-option.ts";
import { countOption } from "./with-connection.ts";

const SEED_MAX = 4_294_967_295;
const CONCURRENCY = 4;
const COST_MAX = 5;
const WITHIN_SECONDS = 120;

export function addEval(program: Command): void {
  program
    .command("eval [teams...]")
    .description(
      "measure teams (default: every one) and their variants on their labelled sets: accuracy, cost, latency, differences",
    )
    .option("--variant <name...>", "only these; as-it-is is the team itself (default: all)")
    .addOption(countOption("--limit <n>", "take at most this many cases (default: all)", { max: 1_000_000 }))
    .addOption(countOption("--concurrency <n>", "runs at a time", { max: 1000 }).default(CONCURRENCY))
    .addOption(countOption("--seed <n>", "of the rehearsal's faults", { min: 0, max: SEED_MAX }))
    .option("--json <file>", "also write the summary to this file, as JSON")
    .option("--cache <folder>", "keep the model's answers there, so that a repeat costs nothing")
    .option("--judge", "ask the strong model to judge the results too, and tell how far it agrees", false)
    .option("--cost-max <usd>", "begin no further run once so much is paid", readAmount, COST_MAX)
    .addOption(
      countOption("--within <seconds>", "time that one run may take", { max: 86_400 }).default(
        WITHIN_SECONDS,
      ),
    )
    .action(async (teams: string[], options: EvalOptions) => {
      const { runEval } = await import("../eval/run-eval.ts");
      if (!(await runEval(teams, options))) process.exitCode = EXIT.failed;
    });
}
