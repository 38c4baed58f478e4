import type { JsonSchema } from "#shared/json";
import { EXIT } from "../end-with.ts";
import { printJson, printJsonLine, writeError } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { describeRefusal, describeRepair } from "./describe-result.ts";
import { repairInput } from "./repair-input.ts";

/**
 * Repairs one text: the value goes to standard output, what was changed to standard error; with `json` the whole result
 * goes to standard output. A refusal has exit code 2.
 */
export async function repairOne(asked: {
  readonly file: string;
  readonly schema: JsonSchema | undefined;
  readonly json: boolean;
}): Promise<void> {
  const text = await readInput(asked.file);
  const result = repairInput(text, asked.schema);
  if (!result.ok) process.exitCode = EXIT.refused;
  if (asked.json) return printJson(result);
  if (result.ok) printJsonLine(result.value);
  const lines = result.ok ? describeRepair(text, result) : describeRefusal(result);
  if (lines !== "") writeError(lines);
}
