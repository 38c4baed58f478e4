import type { Command } from "commander";

export function addRepair(program: Command): void {
  program
    .command("repair [file]")
    .description("first aid alone: JSON out and what was changed on stderr, or a refusal with exit code 2")
    .option(
      "--schema <file>",
      "JSON Schema (2020-12) that the result has to satisfy (default: only the syntax is mended)",
    )
    .option("--batch", "read JSON lines {id, input, schema} and write {id, ok, value, cost, reason}", false)
    .option(
      "--json",
      "print the whole result: the value with its evidence, or the refusal's candidates",
      false,
    )
    .action(async (file, options) => (await import("../repair/repair-command.ts")).repair(file, options));
}
