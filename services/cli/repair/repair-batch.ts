import { createReadStream } from "node:fs";
import { once } from "node:events";
import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { parseJson } from "#shared/envelope/json";
import type { JsonValue } from "#shared/schema";
import { CommandRefusedError } from "../errors.ts";
import { visibleJson } from "../print/visible.ts";
import { refuse, repairInput, schemaValue } from "./repair-input.ts";
import type { Refused, Repaired, ToRepair } from "./repair-input.ts";

const rowSchema = z.looseObject({
  id: z.unknown(),
  input: z.custom<string | JsonValue>((value) => value !== undefined, "missing"),
  schema: schemaValue.nullish(),
});

/** One line of a stream: its text, or why there is none. */
export type Line = { readonly text: string } | { readonly problem: "too_long" | "not_utf8" };

/** A line that is longer is skipped and reported, so that memory stays bounded. Bytes. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Repairs line by line, as they come: one answer for each line, in order. A bad line is refused and stops nothing. */
export async function repairBatch({ file, schema, json }: ToRepair): Promise<void> {
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

/**
 * Splits bytes into lines. Blank lines are left out; what is not UTF-8 or too long is reported and does not stop
 * the rest.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  bytesMax = LINE_BYTES_MAX,
): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      bytes += end - start;
      if (bytes <= bytesMax) pieces.push(chunk.subarray(start, end));
      yield* toLine(pieces, bytes > bytesMax);
      [pieces, bytes, start] = [[], 0, end + 1];
    }
    bytes += chunk.length - start;
    if (bytes <= bytesMax) pieces.push(chunk.subarray(start));
    else pieces = [];
  }
  yield* toLine(pieces, bytes > bytesMax);
}

function* toLine(pieces: readonly Buffer[], isTooLong: boolean): Generator<Line> {
  if (isTooLong) return yield { problem: "too_long" };
  try {
    // Also takes away a byte order mark, which Windows programs put before the first line.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
    if (text.trim() !== "") yield { text };
  } catch {
    yield { problem: "not_utf8" };
  }
}
