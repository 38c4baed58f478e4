import type { Command } from "commander";
import { readAmount, readCount } from "../read-option.ts";

const COST_MAX = 0.25;
const SECONDS_MAX = 180;

interface DoctorOptions {
  readonly model?: boolean;
  readonly costMax: number;
  readonly seconds: number;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** The command that says what protects this installation and what is open. */
export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "say what protects this installation and what is open; exit code 1 if a promise does not hold",
    )
    .option("--data-dir <folder>", "data folder of the services (SUTURE_DATA_DIR)")
    .option("--model", "ask the configured endpoint what its models can; exit code 1 if no team could run")
    .option("--cost-max <usd>", "with --model: the most that its calls may cost", readAmount, COST_MAX)
    .option(
      "--seconds <n>",
      "with --model: no further call is made after that",
      readCount(1, 3600),
      SECONDS_MAX,
    )
    .option("--json", "write JSON")
    .action(async (options: DoctorOptions) => {
      const { model = false, ...rest } = options;
      process.exitCode = model
        ? await (await import("../doctor/run-model-doctor.ts")).runModelDoctor(rest)
        : await (await import("../doctor/run-doctor.ts")).runDoctor(rest);
    });
}
