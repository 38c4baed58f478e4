import type { Command } from "commander";
import { repairBatch } from "../repair/repair-batch.ts";
import { repairOne } from "../repair/repair-one.ts";
import { readSchema } from "../repair/read-schema.ts";

interface RepairOptions {
  readonly schema?: string;
  readonly batch: boolean;
}

export function addRepair(program: Command): void {
  program
    .command("repair [file]")
    .description("first aid alone: text in, JSON out, or a refusal with exit code 2; never a guess")
    .option(
      "--schema <file>",
      "JSON Schema that the result has to satisfy (default: only the syntax is mended)",
    )
    .option("--batch", "read JSON lines {id, input, schema} and write {id, ok, value, cost, reason}", false)
    .action(async (file: string | undefined, { schema, batch }: RepairOptions) => {
      const contract = schema === undefined ? undefined : await readSchema(schema);
      if (batch) await repairBatch({ file: file ?? "-", schema: contract });
      else await repairOne({ file: file ?? "-", schema: contract });
    });
}
