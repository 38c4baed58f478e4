import { readSchema } from "./read-schema.ts";
import { repairBatch } from "./repair-batch.ts";
import { repairOne } from "./repair-one.ts";

interface RepairOptions {
  readonly schema?: string;
  readonly batch: boolean;
  readonly json: boolean;
}

/** Repairs one text, or a batch of them. */
export async function repair(file: string | undefined, options: RepairOptions): Promise<void> {
  const schema = options.schema === undefined ? undefined : await readSchema(options.schema);
  const run = options.batch ? repairBatch : repairOne;
  await run({ file: file ?? "-", schema, json: options.json });
}
