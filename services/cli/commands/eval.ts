import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { EXIT } from "../end-with.ts";
import type { EvalOptions } from "../eval/run-eval.ts";
import { readCount } from "../read-option.ts";

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
    .addOption(
      new Option("--limit <n>", "take at most this many cases (default: all)").argParser(
        readCount(1, 1_000_000),
      ),
    )
    .addOption(
      new Option("--concurrency <n>", "runs at a time").argParser(readCount(1, 1000)).default(CONCURRENCY),
    )
    .addOption(new Option("--seed <n>", "of the rehearsal's faults").argParser(readCount(0, SEED_MAX)))
    .option("--json <file>", "also write the summary to this file, as JSON")
    .option("--cache <folder>", "keep the model's answers there, so that a repeat costs nothing")
    .option("--judge", "ask the strong model to judge the results too, and tell how far it agrees", false)
    .addOption(
      new Option("--cost-max <usd>", "begin no further run once so much is paid")
        .argParser(readUsd)
        .default(COST_MAX),
    )
    .addOption(
      new Option("--within <seconds>", "time that one run may take")
        .argParser(readCount(1, 86_400))
        .default(WITHIN_SECONDS),
    )
    .action(async (teams: string[], options: EvalOptions) => {
      const { runEval } = await import("../eval/run-eval.ts");
      if (!(await runEval(teams, options))) process.exitCode = EXIT.failed;
    });
}

function readUsd(text: string): number {
  const usd = Number(text);
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text) && usd > 0) return usd;
  throw new InvalidArgumentError("It has to be an amount above 0, such as 2.50.");
}
