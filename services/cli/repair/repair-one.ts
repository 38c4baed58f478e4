import type { JsonSchema } from "#shared/contract";
import { EXIT } from "../end-with.ts";
import { printJsonLine, writeError } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { treat } from "./treat.ts";

/** Repairs one text. A refusal is said on standard error, with exit code 2; standard output then stays empty. */
export async function repairOne(asked: {
  readonly file: string;
  readonly schema: JsonSchema | undefined;
}): Promise<void> {
  const treated = treat(await readInput(asked.file), asked.schema);
  if (treated.ok) {
    printJsonLine(treated.value);
    return;
  }
  writeError(treated.reason);
  process.exitCode = EXIT.refused;
}
