import { DEPTH_MAX } from "../bounds.ts";
import { ReadRefusal, spend } from "./reader.ts";
import type { Work } from "./reader.ts";
import { literalOf } from "./tree.ts";
import type { Entry, Tree } from "./tree.ts";

interface Cursor {
  readonly text: string;
  at: number;
  readonly work: Work;
}

/**
 * Builds the tree of valid JSON, with numbers as written and repeated names. `JSON.parse` must have accepted the
 * text.
 * @throws {ReadRefusal} `too_deep` or `work_limit`.
 */
export function readStrict(text: string, work: Work): Tree {
  return strictValue({ text, at: 0, work }, 0);
}

/** Skips blanks and separators, without checking them; returns the character behind them. */
function next(cursor: Cursor): string | undefined {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    // Blank, line break, tab, carriage return, comma, colon.
    if (code !== 32 && code !== 10 && code !== 9 && code !== 13 && code !== 44 && code !== 58)
      return cursor.text[cursor.at];
    cursor.at += 1;
  }
}

function strictValue(cursor: Cursor, depth: number): Tree {
  if (depth > DEPTH_MAX) throw ReadRefusal.of("too_deep");
  spend(cursor.work, 20);
  const char = next(cursor);
  if (char === "{" || char === "[") return strictContainer(cursor, depth);
  if (char === '"') return { kind: "string", text: strictString(cursor), bare: false };
  const from = cursor.at;
  cursor.at = endOfWord(cursor.text, from);
  const raw = cursor.text.slice(from, cursor.at);
  return literalOf(raw) ?? { kind: "number", raw };
}

/** Returns the end of a number or literal. */
function endOfWord(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code > 32 && code !== 44 && code !== 93 && code !== 125; at += 1)
    code = text.charCodeAt(at + 1);
  return at;
}

function strictString(cursor: Cursor): string {
  const from = cursor.at;
  let end = cursor.text.indexOf('"', from + 1);
  while (isEscaped(cursor.text, end)) end = cursor.text.indexOf('"', end + 1);
  cursor.at = end + 1;
  const inner = cursor.text.slice(from + 1, end);
  // `JSON.parse` of a quoted text returns a string.
  return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

function strictContainer(cursor: Cursor, depth: number): Tree {
  const isList = cursor.text[cursor.at] === "[";
  const items: Tree[] = [];
  const entries: Entry[] = [];
  cursor.at += 1;
  while (next(cursor) !== (isList ? "]" : "}")) {
    if (isList) items.push(strictValue(cursor, depth + 1));
    else entries.push({ key: strictString(cursor), value: strictValue(cursor, depth + 1) });
  }
  cursor.at += 1;
  return isList ? { kind: "array", items } : { kind: "object", entries };
}
