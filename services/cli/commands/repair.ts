import type { Command } from "commander";
import { repairBatch } from "../repair/repair-batch.ts";
import { repairOne } from "../repair/repair-one.ts";
import { readSchema } from "../repair/read-schema.ts";

interface RepairOptions {
  readonly schema?: string;
  readonly batch: boolean;
  readonly json: boolean;
}

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
    .action(async (file: string | undefined, { schema, batch, json }: RepairOptions) => {
      const contract = schema === undefined ? undefined : await readSchema(schema);
      const run = batch ? repairBatch : repairOne;
      await run({ file: file ?? "-", schema: contract, json });
    });
}
