import { createReadStream } from "node:fs";
import { once } from "node:events";
import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { parseJson } from "#shared/envelope/json";
import type { JsonValue } from "#shared/schema";
import { CommandRefusedError } from "../errors.ts";
import { visibleJson } from "../print/visible.ts";
import { readLines } from "./read-lines.ts";
import type { Line } from "./read-lines.ts";
import { schemaValue } from "./read-schema.ts";
import { refuse, repairInput } from "./repair-input.ts";
import type { Refused, Repaired } from "./repair-input.ts";

const rowSchema = z.looseObject({
  id: z.unknown(),
  input: z.custom<string | JsonValue>((value) => value !== undefined, "missing"),
  schema: schemaValue.nullish(),
});

export interface BatchToRepair {
  /** `-` reads standard input. */
  readonly file: string;
  /** For lines that bring no schema of their own. */
  readonly schema: JsonSchema | undefined;
  /** Writes whole results, with evidence or candidates. */
  readonly json: boolean;
}

/** Repairs line by line, as they come: one answer for each line, in order. A bad line is refused and stops nothing. */
export async function repairBatch({ file, schema, json }: BatchToRepair): Promise<void> {
  const stream: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
  try {
    for await (const line of readLines(stream)) {
      const isTaken = process.stdout.write(`${visibleJson(answerOf(repairLine(line, schema), json))}\n`);
      // Waits for a slow reader, so that answers do not pile up here.
      if (!isTaken) await once(process.stdout, "drain");
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new CommandRefusedError(
      `${file} cannot be read.`,
      "Name a file that is there and that you may read.",
    );
  }
}

interface LineResult {
  /** The line's own id; null where it has none. */
  readonly id: unknown;
  readonly result: Repaired | Refused;
}

/** A line's answer: the whole result, or one form for values and refusals without evidence and candidates. */
export function answerOf({ id, result }: LineResult, json: boolean): object {
  if (json) return { id, ...result };
  if (!result.ok)
    return { id, ok: false, value: null, cost: null, reason: `${result.code}: ${result.reason}` };
  const { ok, value, cost, steps } = result;
  return { id, ok, value, cost, reason: [...new Set(steps.map(({ step }) => step))].join(", ") };
}

/** The result for one line. Pure. */
export function repairLine(line: Line, schema: JsonSchema | undefined): LineResult {
  if ("problem" in line)
    return badLine(`the line is ${line.problem === "too_long" ? "too long" : "not UTF-8"}`);
  let value: unknown;
  try {
    value = parseJson(line.text);
  } catch {
    return badLine("the line is not JSON, or has a name twice");
  }
  const row = rowSchema.safeParse(value);
  if (row.success) {
    const { id, input } = row.data;
    return { id: id ?? null, result: repairInput(input, row.data.schema ?? schema) };
  }
  const places = row.error.issues.map(({ path }) => path.join(".") || "the line").join(", ");
  return badLine(`it is not {id, input, schema} at ${places}`, idOf(value));
}

function badLine(reason: string, id: unknown = null): LineResult {
  return { id, result: refuse("bad_line", reason) };
}

function idOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "id") && "id" in value
    ? value.id
    : null;
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
