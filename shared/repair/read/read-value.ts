import { opensString } from "./quotes.ts";
import { readArray } from "./read-array.ts";
import { readBare } from "./read-bare.ts";
import { readObject } from "./read-object.ts";
import { readString } from "./read-string.ts";
import { peek, ReadRefusal, skipBlanks, spend } from "./reader.ts";
import type { Place, Reader } from "./reader.ts";
import type { Tree } from "./tree.ts";

/** What reading a value takes besides its characters, in steps. */
const VALUE_WORK = 30;

/**
 * Reads one value of any kind at `reader.at`. Throws {ReadRefusal} where there is none or a bound is
 * reached.
 */
export function readValue(reader: Reader, place: Place): Tree {
  skipBlanks(reader);
  spend(reader.work, VALUE_WORK);
  if (reader.open.length >= reader.depthMax) throw ReadRefusal.of("too_deep");
  const char = peek(reader);
  if (char === "{") return readObject(reader);
  if (char === "[" || char === "(") return readArray(reader);
  if (opensString(char)) return { kind: "string", text: readString(reader, place), bare: false };
  return readBare(reader, place);
}
