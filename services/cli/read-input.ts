import { createReadStream } from "node:fs";
import { parseOutside } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { CommandRefusedError } from "./errors.ts";

/** Longest input that a command takes, in bytes. */
const INPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Reads a file, or standard input for `-`. @throws {CommandRefusedError} It cannot be read, or is no UTF-8. */
export async function readInput(file: string, bytesMax = INPUT_BYTES_MAX): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = file === "-" ? process.stdin : createReadStream(file);
  try {
    for await (const chunk of stream) {
      // Both streams give buffers, for no encoding was set.
      chunks.push(chunk as Buffer);
      bytes += chunks.at(-1)?.length ?? 0;
      if (bytes > bytesMax) break;
    }
  } catch {
    throw new CommandRefusedError(
      `${file} cannot be read.`,
      "Name a file that is there and that you may read.",
    );
  }
  if (bytes > bytesMax)
    throw new CommandRefusedError(`${file} is longer than ${bytesMax} bytes.`, "Give less at a time.");
  return decode(Buffer.concat(chunks), file);
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandRefusedError(
      `${file === "-" ? "The input" : file} is not UTF-8.`,
      "Convert it first; nothing was changed.",
    );
  }
}

/** Parses what a person gave as JSON, within the bounds of a request's body. @throws {CommandRefusedError} */
export function readJson(text: string, what: string): unknown {
  try {
    return parseOutside(text);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const isSyntax = error.code === "ENVELOPE_JSON_SYNTAX";
    if (isSyntax)
      throw new CommandRefusedError(`${what} is not JSON.`, "Correct it; `suture repair` may help.");
    throw new CommandRefusedError(`${what} cannot be sent: ${error.message}`, error.remedy);
  }
}

/** Reads a schema that first aid can use. @throws {CommandRefusedError} It cannot be read or is no JSON object. */
export async function readSchema(file: string): Promise<JsonSchema> {
  const schema = readJson(await readInput(file), "The schema");
  if (isRecord(schema)) return schema;
  throw new CommandRefusedError("The schema is not a JSON object.", "Give a JSON Schema, draft 2020-12.");
}
