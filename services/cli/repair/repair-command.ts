import { EXIT } from "../end-with.ts";
import { printJson, printJsonLine, writeError } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { describeRefusal, describeRepair } from "./describe-result.ts";
import { readSchema } from "./read-schema.ts";
import { repairInput } from "./repair-input.ts";

interface RepairOptions {
  readonly schema?: string;
  readonly json: boolean;
}

/**
 * Repairs one text: the value goes to standard output, what was changed to standard error; with `json` the whole result
 * goes to standard output. A refusal has exit code 2.
 */
export async function repair(file: string | undefined, options: RepairOptions): Promise<void> {
  const schema = options.schema === undefined ? undefined : await readSchema(options.schema);
  const text = await readInput(file ?? "-");
  const result = repairInput(text, schema);
  if (!result.ok) process.exitCode = EXIT.refused;
  if (options.json) return printJson(result);
  if (result.ok) printJsonLine(result.value);
  const lines = result.ok ? describeRepair(text, result) : describeRefusal(result);
  if (lines !== "") writeError(lines);
}
