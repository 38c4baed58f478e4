import type { Command } from "commander";
import type { DemoOptions } from "../demo/run-demo.ts";
import { countOption } from "./with-connection.ts";

const SEED_MAX = 4_294_967_295;
const WITHIN_SECONDS = 600;

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("start everything, send sample tasks with realistic faults, and add up what happened")
    .option("--exit", "end when all is accounted for, with 0 if nothing was lost", false)
    .option("--json <file>", "also write the summary to this file, as JSON")
    .addOption(
      countOption("--seed <n>", "which faults the rehearsal makes (SUTURE_REHEARSAL_SEED)", {
        min: 0,
        max: SEED_MAX,
      }),
    )
    .option("--keep", "go on with the data of the last demo", false)
    .addOption(countOption("--processes <n>", "processes for the agents", { max: 64 }))
    .addOption(
      countOption("--tasks <n>", "send at most this many tasks (default: every sample)", { max: 100_000 }),
    )
    .addOption(
      countOption("--within <seconds>", "time for the traffic to come to rest", { max: 86_400 }).default(
        WITHIN_SECONDS,
      ),
    )
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import("../demo/run-demo.ts");
      await runDemo(options);
    });
}
