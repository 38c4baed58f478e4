import { charRun, choice, edge, look, repeat, sequence } from "./search.ts";
import type { Accepts, Part, Range } from "./search.ts";

interface Cursor {
  readonly pattern: string;
  at: number;
}

/** Parses a pattern that the native engine accepts. Undefined for back references. */
export function parsePattern(pattern: string): Part | undefined {
  try {
    const cursor = { pattern, at: 0 };
    const part = parseChoice(cursor);
    return cursor.at === pattern.length ? part : undefined;
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

function parseChoice(cursor: Cursor): Part {
  const options = [parseSequence(cursor)];
  while (take(cursor, /^\|/)[0] !== "") options.push(parseSequence(cursor));
  return options.length === 1 && options[0] !== undefined ? options[0] : choice(options);
}

function parseSequence(cursor: Cursor): Part {
  const parts: Part[] = [];
  while (/[^|)]/.test(cursor.pattern[cursor.at] ?? "")) parts.push(parsePart(cursor));
  return sequence(parts);
}

/** Places between characters, by how a pattern writes them. */
const EDGES: Readonly<Record<string, Part>> = {
  "^": edge((_, at) => at === 0),
  $: edge((points, at) => at === points.length),
  "\\b": edge(isWordEdge),
  "\\B": edge((points, at) => !isWordEdge(points, at)),
};

function isWordEdge(points: readonly number[], at: number): boolean {
  return isWord(points[at - 1]) !== isWord(points[at]);
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && /\w/.test(String.fromCodePoint(codePoint));
}

/** An edge, a group or a character, and how often it is repeated. */
function parsePart(cursor: Cursor): Part {
  const [edgeSign = ""] = take(cursor, /^(?:[$^]|\\[bB])/);
  const isChar = edgeSign === "" && cursor.pattern[cursor.at] !== "(";
  const repeated = isChar ? ofChar(parseChar(cursor)) : ofPart(EDGES[edgeSign] ?? parseGroup(cursor));
  const [sign = "", from, comma, to] = take(cursor, /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/);
  if (sign === "") return repeated({ least: 1, most: 1 });
  const least = Number(from ?? sign.startsWith("+"));
  const open = sign.startsWith("?") ? 1 : Number.POSITIVE_INFINITY;
  return repeated({ least, most: comma === "" && to === "" ? least : Number(to || open) });
}

const ofChar =
  (accepts: Accepts) =>
  (range: Range): Part =>
    charRun(accepts, range);

const ofPart =
  (part: Part) =>
  (range: Range): Part =>
    range.least === 1 && range.most === 1 ? part : repeat(part, range);

function parseGroup(cursor: Cursor): Part {
  const [opener = ""] = take(cursor, /^\((?:\?(?:[:=!]|<[=!]|<[^=!>][^>]{0,60}>)?)?/);
  if (opener === "(?") throw new SyntaxError();
  const part = parseChoice(cursor);
  cursor.at += 1;
  if (!/^\(\?<?[=!]$/.test(opener)) return part;
  return look(part, { isWanted: opener.endsWith("="), isBehind: opener.includes("<") });
}

const CHAR =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|[^])/su;

function parseChar(cursor: Cursor): Accepts {
  const [source = ""] = take(cursor, CHAR);
  if (source === "" || /^\\[1-9k]/.test(source)) throw new SyntaxError();
  return accepting(regExpOf(`^${source}$`));
}

/** Caches the native engine's answers for common characters. */
function accepting(test: RegExp): Accepts {
  const usual: boolean[] = [];
  return (codePoint) => {
    const accepts = usual[codePoint] ?? test.test(String.fromCodePoint(codePoint));
    if (codePoint < USUAL_MAX) usual[codePoint] = accepts;
    return accepts;
  };
}

const USUAL_MAX = 128;
