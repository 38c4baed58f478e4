import { Option } from "commander";
import type { Command } from "commander";
import type { DemoOptions } from "../demo/run-demo.ts";
import { readCount } from "../read-option.ts";

const SEED_MAX = 4_294_967_295;
const WITHIN_SECONDS = 600;

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("start everything, send sample tasks with realistic faults, and add up what happened")
    .option("--exit", "end when all is accounted for, with 0 if nothing was lost", false)
    .option("--json <file>", "also write the summary to this file, as JSON")
    .addOption(
      new Option("--seed <n>", "which faults the rehearsal makes (SUTURE_REHEARSAL_SEED)").argParser(
        readCount(0, SEED_MAX),
      ),
    )
    .option("--keep", "go on with the data of the last demo", false)
    .addOption(new Option("--processes <n>", "processes for the agents").argParser(readCount(1, 64)))
    .addOption(
      new Option("--tasks <n>", "send at most this many tasks (default: every sample)").argParser(
        readCount(1, 100_000),
      ),
    )
    .addOption(
      new Option("--within <seconds>", "time for the traffic to come to rest")
        .argParser(readCount(1, 86_400))
        .default(WITHIN_SECONDS),
    )
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import("../demo/run-demo.ts");
      await runDemo(options);
    });
}
