import { kept } from "#shared/json";
import { charRun, choice, edge, look, repeat, Search, sequence } from "./search.ts";
import type { Accepts, Meter, Part } from "./search.ts";

type Matched = "yes" | "no" | "malformed" | "too_costly";

const PATTERN_CHARS_MAX = 4096;
const TEXT_CHARS_MAX = 65_536;
const STEPS_MAX = 250_000;
/** Maximum cost of a match by the native engine, in steps. */
const NATIVE_STEPS_MAX = 200;
/** Characters that the native engine compares in the time of a step. */
const NATIVE_PER_STEP = 64;

interface Compiled {
  readonly regExp: RegExp;
  /** The most that the native engine may compare, by the length of the text. */
  readonly comparisonsMax: (chars: number) => number;
  /** Our own matcher; undefined when unsupported. */
  readonly part: Part | undefined;
}

/** By pattern; null for a malformed one. */
const compiled = new Map<string, Compiled | null>();
const COMPILED_MAX = 500;

/** Matches in bounded time: by Node's engine where the ways are few, else by a linear search. Empties `meter`. */
export function matchesPattern(text: string, pattern: string, meter?: Meter): Matched {
  if (pattern.length > PATTERN_CHARS_MAX || text.length > TEXT_CHARS_MAX) return "too_costly";
  const known = kept(compiled, pattern, compile);
  if (known === null) return "malformed";
  const native = 1 + Math.ceil(known.comparisonsMax(text.length) / NATIVE_PER_STEP);
  if (native <= NATIVE_STEPS_MAX) {
    if (meter !== undefined) meter.left -= native;
    return known.regExp.test(text) ? "yes" : "no";
  }
  if (known.part === undefined) return "too_costly";
  const steps = { left: Math.min(STEPS_MAX, meter?.left ?? STEPS_MAX) };
  const before = steps.left;
  const points = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const isFound = Search.find(points, known.part, steps);
  if (meter !== undefined) meter.left -= before - steps.left;
  if (isFound === undefined) return "too_costly";
  return isFound ? "yes" : "no";
}

function compile(pattern: string): Compiled | null {
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  try {
    return {
      regExp: regExpOf(pattern),
      comparisonsMax: comparisonsOf(pattern),
      part: parsePattern(pattern),
    };
  } catch {
    return null;
  }
}

/** Most comparisons of the native engine by length of text; infinite where a pattern's ways are not counted. */
function comparisonsOf(pattern: string): (chars: number) => number {
  const plain = pattern.replaceAll(/\\./gs, "x").replaceAll(/\[[^\]]*\]/g, "x");
  if (/\)[*+?{]|\(\?<?[=!]/.test(plain) || /\\[1-9k]/.test(pattern)) return () => Number.POSITIVE_INFINITY;
  const open = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  // Each choice multiplies the ways: a bounded repeat by its counts, an alternative and an optional by two.
  const ways = [...plain.matchAll(/\{(\d+),(\d+)\}|[?|]/g)].reduce(
    (product, [, least, most]) => product * (most === undefined ? 2 : Number(most) - Number(least) + 1),
    1,
  );
  const starts = pattern.startsWith("^") && !plain.includes("|") ? 0 : 1;
  return (chars) => ways * (chars + 1) ** (open + starts) * (chars + plain.length);
}

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
function regExpOf(pattern: string): RegExp {
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
  const repeated = isChar
    ? charRun.bind(null, parseChar(cursor))
    : repeat.bind(null, EDGES[edgeSign] ?? parseGroup(cursor));
  const [sign = "", from, comma, to] = take(cursor, /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/);
  if (sign === "") return repeated({ least: 1, most: 1 });
  const least = Number(from ?? sign.startsWith("+"));
  const open = sign.startsWith("?") ? 1 : Number.POSITIVE_INFINITY;
  return repeated({ least, most: comma === "" && to === "" ? least : Number(to || open) });
}

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
