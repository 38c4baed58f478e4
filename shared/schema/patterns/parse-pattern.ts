import { char, charRun, choice, EDGES, look, repeat, sequence } from "./backtrack.ts";
import type { Accepts, Matcher } from "./backtrack.ts";

interface Cursor {
  readonly pattern: string;
  at: number;
}

/** Makes a matcher of a pattern that the native engine accepts. Undefined for back references and look-behind. */
export function parsePattern(pattern: string): Matcher | undefined {
  try {
    const cursor = { pattern, at: 0 };
    const matcher = parseChoice(cursor);
    return cursor.at === pattern.length ? matcher : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Compiles a pattern; foreign ones are often valid only without the unicode flag. @throws {SyntaxError} It is none. */
export function regExpOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** Moves past what `token` finds at the cursor. */
function take(cursor: Cursor, token: RegExp): readonly (string | undefined)[] {
  const found = token.exec(cursor.pattern.slice(cursor.at)) ?? [""];
  cursor.at += found[0].length;
  return found;
}

function parseChoice(cursor: Cursor): Matcher {
  const options = [parseSequence(cursor)];
  while (take(cursor, /^\|/)[0] !== "") options.push(parseSequence(cursor));
  return options.length === 1 && options[0] !== undefined ? options[0] : choice(options);
}

function parseSequence(cursor: Cursor): Matcher {
  const parts: Matcher[] = [];
  while (/[^|)]/.test(cursor.pattern[cursor.at] ?? "")) parts.push(parsePart(cursor));
  return sequence(parts);
}

/** An edge, a group or a character, and how often it is repeated. */
function parsePart(cursor: Cursor): Matcher {
  const [edge = ""] = take(cursor, /^(?:[$^]|\\[bB])/);
  const part = EDGES[edge] ?? (cursor.pattern[cursor.at] === "(" ? parseGroup(cursor) : parseChar(cursor));
  const [sign = "", from, comma, to, lazy] = take(cursor, /^(?:[*+?]|\{(\d+)(,?)(\d*)\})(\?)?/);
  const isChar = "accepts" in part;
  if (sign === "") return isChar ? char(part) : part;
  const least = Number(from ?? sign.startsWith("+"));
  const open = sign.startsWith("?") ? 1 : Number.POSITIVE_INFINITY;
  const most = comma === "" && to === "" ? least : Number(to || open);
  const range = { least, most, isLazy: lazy !== undefined };
  return isChar ? charRun(part, range) : repeat(part, range);
}

function parseGroup(cursor: Cursor): Matcher {
  const [opener] = take(cursor, /^\((?:\?(?:[:=!]|<(?![=!])[^>]{0,60}>)?)?/);
  if (opener === "(?") throw new SyntaxError();
  const matcher = parseChoice(cursor);
  cursor.at += 1;
  return opener === "(?=" || opener === "(?!" ? look(matcher, opener === "(?=") : matcher;
}

const CHAR =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|[^])/su;

function parseChar(cursor: Cursor): Accepts {
  const [source = ""] = take(cursor, CHAR);
  if (source === "" || /^\\[1-9k]/.test(source)) throw new SyntaxError();
  return { accepts: accepting(regExpOf(`^${source}$`)) };
}

/** Caches the native engine's answers for common characters. */
function accepting(test: RegExp): Accepts["accepts"] {
  const usual: boolean[] = [];
  return (codePoint) => {
    const accepts = usual[codePoint] ?? test.test(String.fromCodePoint(codePoint));
    if (codePoint < USUAL_MAX) usual[codePoint] = accepts;
    return accepts;
  };
}

const USUAL_MAX = 128;
