import { DEPTH_MAX, WORK } from "../bounds.ts";
import { blanksEnd, keyEnd, opensString } from "./lookahead.ts";
import { readBare } from "./read-bare.ts";
import { closes, readMembers, readObject, skipSeparators } from "./read-object.ts";
import { readString } from "./read-string.ts";
import { ReadRefusal, noteStep, peek, skipBlanks, spend } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";
import type { Tree } from "./tree.ts";

/** Reads any value. @throws {ReadRefusal} There is none, or a limit is reached. */
export function readValue(reader: Reader, position: Position): Tree {
  skipBlanks(reader);
  spend(reader.work, WORK.value);
  if (reader.open.length >= DEPTH_MAX) throw ReadRefusal.of("too_deep");
  const char = peek(reader);
  if (char === "{") return readObject(reader);
  if (char === "[" || char === "(") return readArray(reader);
  if (opensString(char)) return { kind: "string", text: readString(reader, position), bare: false };
  return readBare(reader, position);
}

/** Reads a list at its bracket, or a Python tuple at its parenthesis. */
function readArray(reader: Reader): Tree {
  const { separator } = reader;
  const tuple = peek(reader) === "(";
  if (tuple) noteStep(reader, "tuple_as_list", 2);
  reader.at += 1;
  reader.open.push(tuple ? ")" : "]");
  reader.separator = undefined;
  const items: Tree[] = [];
  let isOne = false;
  for (;;) {
    const separators = skipSeparators(reader);
    if (items.length === 0 && separators > 0 && reader.separator === ";") throw ReadRefusal.of("no_json");
    isOne = items.length === 1 && separators === 0;
    if (closes(reader, items.length > 0 && separators > 0)) break;
    if (items.length > 0 && separators === 0) {
      // In `["page"r, "slack"]` the letter may belong to the text.
      if (opensString(peek(reader, -1)) && /[\p{L}\p{N}]/u.test(peek(reader)))
        throw ReadRefusal.of("ambiguous");
      noteStep(reader, "missing_comma", 1);
    }
    if (separators > 1 || (items.length === 0 && separators > 0)) noteStep(reader, "extra_comma", 1);
    if (startsMember(reader)) {
      if (items.length > 0 && endsBefore(reader, items)) noteStep(reader, "missing_closer", 2);
      else {
        noteStep(reader, "missing_brace", 3);
        items.push({ kind: "object", entries: readMembers(reader) });
      }
      break;
    }
    items.push(reader.readValue(reader, "item"));
  }
  reader.open.pop();
  reader.separator = separator;
  const [only] = items;
  // Python's `(1)` is a number, `(1,)` a tuple.
  if (tuple && isOne && only !== undefined) return only;
  return { kind: "array", items };
}

/** Returns true for `["key": "value"]`, where the brace is missing. Only quoted names count, not `[12:30]`. */
function startsMember(reader: Reader): boolean {
  if (!opensString(peek(reader))) return false;
  const after = keyEnd(reader, reader.at);
  return after !== -1 && blanksEnd(reader, after) < reader.end;
}

/** Ends `{"a": [1, 2, "b": 3}`: a list of plain values ends where its object continues. */
function endsBefore(reader: Reader, items: readonly Tree[]): boolean {
  return reader.open.at(-2) === "}" && items.every(({ kind }) => kind !== "object");
}
