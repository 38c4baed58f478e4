import { plainScalar } from "./outline/plain-scalar.ts";
import { spend } from "./reader.ts";
import type { Work } from "./reader.ts";
import type { Entry, Tree } from "./tree.ts";

/** How an object begins that a language prints for people: `Person(name=`, `{Name:Ann`, `Array (`, `name='Ann'`. */
const START =
  /^(?:[#@%&*$]{0,2}<?[\w.:<>*[\]!$ ]{0,80}?\s{0,9}[{([]\s{0,40}(?:\[?[:@$]?["']?[A-Za-z_][\w. -]{0,60}["']?\]?\s{0,9}(?:=>|=|:|->)|["']|\()|[A-Za-z_]\w{0,60}=\S)/;

/** A name with what separates it from its value. */
const KEY =
  /\s*(?:\[\s*(["']?)([\w .$-]{1,80})\1\s*\]|"([^"\\\n]{1,80})"|'([^'\\\n]{1,80})'|[:@]?([A-Za-z_$][\w.$-]{0,80})|(\d{1,6}))\s*(?:=>|->|:=|=(?![=>])|:(?!\/\/))[^\S\n]*/y;

/** A name that follows a value after a comma, a semicolon, a line break or a blank. */
const NEXT =
  /(?:[,;]\s{0,80}|[^\S\n]{0,20}\n\s{0,80}|[^\S\n]{1,40})(?:\[\s{0,9}["']?[\w .-]{1,80}["']?\s{0,9}\]|[:@]?["']?[A-Za-z_][\w.-]{0,80}["']?)\s{0,40}(?:=>|->|:=|=(?!=)|:(?!\/\/))/y;

const NOTHING = /^(?:<nil>|<null>|null|nil|undef|undefined|nothing|none|\$null|n\/a)$/i;
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ["$true", true],
  ["$false", false],
]);

/** An ellipsis in place of a value. */
const LEFT_OUT = /[{([,;:=>\s](?:\.{3}|…)\s*(?:[,;\])}]|$)/;

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const DEPTH_MAX = 32;
const CHARS_MAX = 100_000;
/** Cost of a value besides its characters, in steps. */
const VALUE_WORK = 40;

interface State {
  readonly text: string;
  at: number;
  readonly work: Work;
}

/**
 * Reads an object as languages print it for people, where texts stand without quotes: `Person(name=Ann Lee, age=42)`,
 * `{Name:Ann Age:42 Tags:[a b]}`, PHP's `print_r`. Where a text ends is assumed: before the next name, or at the
 * bracket. Undefined where the whole text is not one such value.
 */
export function readPrinted(input: string, work: Work): Tree | undefined {
  const text = withoutTypes(input.trim());
  if (text.length > CHARS_MAX || !START.test(text) || LEFT_OUT.test(text)) return undefined;
  spend(work, text.length);
  const isBare = /^[A-Za-z_]\w*=/.test(text);
  const state: State = { text: isBare ? `{${text}}` : text, at: 0, work };
  const value = readValue(state, "", 0);
  return state.text.slice(state.at).trim() === "" && value?.kind === "object" ? value : undefined;
}

/** Takes off what says only a type: `string(7) "a"`, `(*string)(nil)`, `new[]`, `[]string`, `<<"a">>`, `$VAR1 = `. */
function withoutTypes(text: string): string {
  return text
    .replace(
      /^(?:(?:const|let|var|my|local|return|print)\s+)?\$?[A-Za-z_]\w*\s*=\s*(?=[{([]|[A-Z]\w*[({])/,
      "",
    )
    .replace(/;\s*$/, "")
    .replace(
      /^#<([\w:]+)([^]*)>$/,
      (_, name: string, body: string) => `${name}{${body.replace(/^:?0x[\da-f]+/, "")}}`,
    )
    .replaceAll(/\bstring\(\d+\)\s*(?=")/g, "")
    .replaceAll(/\b(?:int|float|bool|double)\(([^()\s]*)\)/g, "$1")
    .replaceAll(/\(\*?[\w.]+\)\(nil\)/g, "nil")
    .replaceAll(/(?:\[\]|\bmap\[\w+\])[\w.*]+(?=\{)/g, "")
    .replaceAll(/\bnew\s*(?:[\w.<>, ]*\[\]|[\w.<>, ]+?)\s*(?=[{(])/g, "")
    .replaceAll(/<<("(?:[^"\\]|\\.)*")(?:\/utf8)?>>/g, "$1")
    .replaceAll(/\b(?:Some|Just|Optional)\(((?:"(?:[^"\\]|\\.)*")|[^()]*)\)/g, "$1");
}

function readValue(state: State, closer: string, depth: number): Tree | undefined {
  spend(state.work, VALUE_WORK);
  if (depth > DEPTH_MAX) return undefined;
  if (/^[^\S\n]*\n\s*(?:\[["']?\w+["']?\]\s*=>|\))/.test(state.text.slice(state.at, state.at + 200)))
    return { kind: "literal", value: null };
  state.at += /^\s*/.exec(state.text.slice(state.at, state.at + 400))?.[0].length ?? 0;
  const ahead = state.text.slice(state.at, state.at + 120);
  const prefix = /^(?:[@%#&*]?[A-Za-z_][\w.:!]*(?:\(\d+\))?\s*|[@%#&*])?([{([])/.exec(ahead);
  if (prefix !== null) {
    const start = state.at;
    state.at += prefix[0].length;
    const group = readGroup(state, prefix[1] ?? "(", depth);
    if (group === undefined || endsHere(state, closer)) return group;
    state.at = start;
  }
  return readText(state, closer);
}

/** Returns true before a separator, a closer, a further name or the end. */
function endsHere(state: State, closer: string): boolean {
  const rest = state.text.slice(state.at, state.at + 200);
  if (/^\s*(?:$|[,;\n])/.test(rest) || (closer !== "" && rest.trimStart().startsWith(closer))) return true;
  NEXT.lastIndex = state.at;
  return NEXT.test(state.text);
}

function readGroup(state: State, open: string, depth: number): Tree | undefined {
  const closer = CLOSERS[open] ?? "";
  const entries: Entry[] = [];
  const items: Tree[] = [];
  for (;;) {
    state.at += /^[\s,;]*/.exec(state.text.slice(state.at, state.at + 4000))?.[0].length ?? 0;
    if (state.at >= state.text.length) return undefined;
    if (state.text[state.at] === closer) {
      state.at += 1;
      return ofGroup(open, entries, items);
    }
    const key = readKey(state);
    const value = readValue(state, closer, depth + 1);
    if (value === undefined) return undefined;
    if (key === undefined)
      items.push(...(value.kind === "string" && value.bare && open === "[" ? wordsOf(value.text) : [value]));
    else entries.push({ key, value });
  }
}

/** Go separates the items of a list by blanks. */
function wordsOf(text: string): Tree[] {
  return text.split(/\s+/).map((word) => scalarOf(word));
}

function ofGroup(open: string, entries: readonly Entry[], items: readonly Tree[]): Tree | undefined {
  if (entries.length > 0 && items.length > 0) return undefined;
  if (entries.length === 0)
    return items.length > 0 || open !== "{" ? { kind: "array", items } : { kind: "object", entries: [] };
  const isIndexed = entries.every(({ key }, at) => key === String(at));
  return isIndexed
    ? { kind: "array", items: entries.map(({ value }) => value) }
    : { kind: "object", entries };
}

function readKey(state: State): string | undefined {
  KEY.lastIndex = state.at;
  const found = KEY.exec(state.text);
  if (found === null) return undefined;
  state.at = KEY.lastIndex;
  return (found[2] ?? found[3] ?? found[4] ?? found[5] ?? found[6] ?? "").trim();
}

const QUOTED = /(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)')/y;

/** A quoted text, or everything before the next name, separator or closer. */
function readText(state: State, closer: string): Tree | undefined {
  QUOTED.lastIndex = state.at;
  const quoted = QUOTED.exec(state.text);
  if (quoted !== null) {
    const start = state.at;
    state.at = QUOTED.lastIndex;
    if (endsHere(state, closer))
      return { kind: "string", text: unescaped(quoted[1] ?? quoted[2] ?? ""), bare: false };
    state.at = start;
  }
  const start = state.at;
  let depth = 0;
  for (; state.at < state.text.length; state.at += 1) {
    const char = state.text[state.at] ?? "";
    if (depth === 0 && (char === closer || char === "," || char === ";" || /\s/.test(char))) {
      if (char === closer || isEnd(state)) break;
    }
    if (char === "(" || char === "[" || char === "{") depth += 1;
    else if (char === ")" || char === "]" || char === "}") depth -= 1;
    if (depth < 0) return undefined;
  }
  spend(state.work, 2 * (state.at - start));
  const text = state.text.slice(start, state.at).trim();
  // A quoted text with something behind it is no value of these notations.
  return /^["']/.test(text) ? undefined : scalarOf(text);
}

/** Returns true at a comma in a list, and where a further name follows. */
function isEnd(state: State): boolean {
  NEXT.lastIndex = state.at;
  return (
    NEXT.test(state.text) ||
    /^[,;]\s/.test(state.text.slice(state.at, state.at + 2)) ||
    /^\s*\n/.test(state.text.slice(state.at, state.at + 200))
  );
}

function scalarOf(text: string): Tree {
  if (text === "" || NOTHING.test(text)) return { kind: "literal", value: null };
  const truth = TRUTH.get(text.toLowerCase());
  return truth === undefined ? plainScalar(text) : { kind: "literal", value: truth };
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const json = text
    .replaceAll("\\'", "'")
    .replaceAll(/(?<!\\)"/g, '\\"')
    .replaceAll("\n", "\\n");
  try {
    // A quoted JSON text parses to a string and to nothing else.
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return text.replaceAll(/\\(["'\\])/g, "$1");
  }
}
