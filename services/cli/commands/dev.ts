import type { Command } from "commander";
import { withPlaces } from "./up.ts";

export function addDev(program: Command): void {
  const command = program
    .command("dev")
    .description("start everything as `up` does, and again whenever a file of the teams changes");
  withPlaces(command).action(async ({ dataDir }: { readonly dataDir?: string }, { options }: Command) => {
    const { runDev } = await import("../dev/run-dev.ts");
    // Its options are those of `up`, and are passed on by name.
    const given = options.flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return typeof value === "string" ? [option.long ?? "", value] : [];
    });
    await runDev(given, { SUTURE_DATA_DIR: dataDir });
  });
}
