import type { Command } from "commander";

/** The command that says which trust profile holds here. */
export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "say what protects this installation and what is open; exit code 1 if a promise does not hold",
    )
    .option("--data-dir <folder>", "data folder of the services (SUTURE_DATA_DIR)")
    .option("--json", "write JSON")
    .action(async (options: { readonly dataDir?: string; readonly json?: boolean }) => {
      process.exitCode = await (await import("../doctor/run-doctor.ts")).runDoctor(options);
    });
}
