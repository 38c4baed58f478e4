import { createReadStream } from "node:fs";
import { once } from "node:events";
import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { parseJson } from "#shared/envelope/json";
import type { JsonValue } from "#shared/schema";
import { EXIT, CommandRefusedError } from "../errors.ts";
import { formatTable, visibleJson } from "../print/format-table.ts";
import { printJson, printJsonLine, writeError } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { readSchema, repairInput, refuse, schemaValue } from "./repair-input.ts";
import type { Refused, Repaired, ToRepair } from "./repair-input.ts";

/** Maximum rows of the table; `--json` lists all. */
const ROWS_MAX = 50;
/** Maximum length of a candidate's JSON, in UTF-16 units. */
const CANDIDATE_CHARS_MAX = 2_000;

/** Repairs one text, or a batch of them. */
export async function repair(
  file: string | undefined,
  options: { readonly schema?: string; readonly batch: boolean; readonly json: boolean },
): Promise<void> {
  const schema = options.schema === undefined ? undefined : await readSchema(options.schema);
  const run = options.batch ? repairBatch : repairOne;
  await run({ file: file ?? "-", schema, json: options.json });
}

/** The value goes to standard output, what was changed to standard error. A refusal has exit code 2. */
async function repairOne({ file, schema, json }: ToRepair): Promise<void> {
  const text = await readInput(file);
  const result = repairInput(text, schema);
  if (!result.ok) process.exitCode = EXIT.refused;
  if (json) return printJson(result);
  if (result.ok) printJsonLine(result.value);
  const lines = result.ok ? describeRepair(text, result) : describeRefusal(result);
  if (lines !== "") writeError(lines);
}

/**
 * Lists each value that does not stand in the text as it is, with its rules and its piece of the text, then the steps
 * over the whole text and the data that was not used. Empty for a text that is right as it is.
 */
function describeRepair(text: string, { evidence, steps }: Repaired): string {
  const piece = (span: { readonly start: number; readonly end: number } | undefined): string[] =>
    span === undefined ? [] : [text.slice(span.start, span.end), positionOf(text, span.start)];
  const changed = evidence.values
    .filter(({ rules }) => !rules.includes("as_written"))
    .map(({ path, rules, spans }) => [path === "" ? "/" : path, rules.join(", "), ...piece(spans[0])]);
  const ofWhole = new Set(steps.filter(({ path }) => path === "").map(({ step }) => step));
  const rows = [
    ...changed,
    ...[...ofWhole].map((step) => ["the whole text", step]),
    ...evidence.unused.map((one) => [`unused: ${one.name ?? "no name"}`, one.reason, ...piece(one)]),
  ];
  if (rows.length === 0) return "";
  const more = rows.length > ROWS_MAX ? `\n${rows.length - ROWS_MAX} more; --json lists them.` : "";
  return formatTable(["value", "rule", "in the text", "at"], rows.slice(0, ROWS_MAX)) + more;
}

/** States the reason, and the values between which first aid would have to choose. */
function describeRefusal({ code, reason, candidates }: Refused): string {
  const values = candidates.map((one) => `candidate: ${cut(JSON.stringify(one))}`);
  return [`${code}: ${reason}`, ...values].join("\n");
}

/** Line and column, both from 1. */
function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function cut(text: string): string {
  return text.length > CANDIDATE_CHARS_MAX ? `${text.slice(0, CANDIDATE_CHARS_MAX)}…` : text;
}

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
async function repairBatch({ file, schema, json }: ToRepair): Promise<void> {
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

/** Splits bytes into lines without blank ones; reports those that are no UTF-8 or too long, and goes on. */
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
