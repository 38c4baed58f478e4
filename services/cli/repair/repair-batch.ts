import { createReadStream } from "node:fs";
import { once } from "node:events";
import { z } from "zod";
import type { JsonSchema } from "#shared/contract";
import { parseJson } from "#shared/envelope/json";
import type { JsonValue } from "#shared/schema";
import { CommandRefusedError } from "../errors.ts";
import { visibleJson } from "../print/visible.ts";
import { readLines } from "./read-lines.ts";
import type { Line } from "./read-lines.ts";
import { schemaValue } from "./read-schema.ts";
import { refuse, treat } from "./treat.ts";
import type { Treatment } from "./treat.ts";

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
}

/** Repairs line by line, as they come: one answer for each line, in order. A bad line is refused and stops nothing. */
export async function repairBatch({ file, schema }: BatchToRepair): Promise<void> {
  const stream: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
  try {
    for await (const line of readLines(stream)) {
      const isTaken = process.stdout.write(`${visibleJson(repairLine(line, schema))}\n`);
      // A slow reader is waited for, so that answers do not pile up here.
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

/** One line's answer. Pure. */
export function repairLine(line: Line, schema: JsonSchema | undefined): { id: unknown } & Treatment {
  if ("problem" in line)
    return {
      id: null,
      ...refuse(`bad_line: the line is ${line.problem === "too_long" ? "too long" : "not UTF-8"}`),
    };
  let value: unknown;
  try {
    value = parseJson(line.text);
  } catch {
    return { id: null, ...refuse("bad_line: the line is not JSON, or has a name twice") };
  }
  const row = rowSchema.safeParse(value);
  if (row.success) return { id: row.data.id ?? null, ...treat(row.data.input, row.data.schema ?? schema) };
  const places = row.error.issues.map(({ path }) => path.join(".") || "the line").join(", ");
  return { id: idOf(value), ...refuse(`bad_line: it is not {id, input, schema} at ${places}`) };
}

function idOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "id") && "id" in value
    ? value.id
    : null;
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
