import { DEPTH_MAX } from "../bounds.ts";
import { opensString } from "./quotes.ts";
import { readArray } from "./read-array.ts";
import { readBare } from "./read-bare.ts";
import { readObject } from "./read-object.ts";
import { readString } from "./read-string.ts";
import { peek, ReadRefusal, skipBlanks, spend } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";
import type { Tree } from "./tree.ts";

/** Cost of a value besides its characters, in steps. */
const VALUE_WORK = 30;

/**
 * Reads any value at `reader.at`.
 * @throws {ReadRefusal} There is none, or a limit is reached.
 */
export function readValue(reader: Reader, position: Position): Tree {
  skipBlanks(reader);
  spend(reader.work, VALUE_WORK);
  if (reader.open.length >= DEPTH_MAX) throw ReadRefusal.of("too_deep");
  const char = peek(reader);
  if (char === "{") return readObject(reader);
  if (char === "[" || char === "(") return readArray(reader);
  if (opensString(char)) return { kind: "string", text: readString(reader, position), bare: false };
  return readBare(reader, position);
}
