import { written } from "../align/align-date.ts";
import { literalOf } from "./literal.ts";
import { plainScalar } from "./outline/plain-scalar.ts";
import { SIMPLE } from "./read-escape.ts";
import { spend, TAKEN_OUT } from "./reader.ts";
import type { Work } from "./reader.ts";
import type { Entry, Tree } from "./tree.ts";

/** How an object begins that a language prints for people: `Person(name=`, `{Name:Ann`, `Array (`, `name='Ann'`. */
const START =
  /^(?:[#@%&*$]{0,2}<?[\w.:<>*[\]!$ ]{0,80}?\s{0,9}[{([]\s{0,40}(?:\[?[:@$]?["']?[A-Za-z_][\w. -]{0,60}["']?\]?\s{0,9}(?:=>|=|:|->)|["']|\()|[A-Za-z_]\w{0,60}=\S)/;

/** Marks that JSON and JavaScript's objects do not have: arrows, prefixed braces, calls, keywords. */
const FOREIGN =
  /=>|->|[%#@]\{|\b[A-Za-z_]\w*\s{0,9}[({]|[{[(\s]:[A-Za-z]|\bnp\.\w|\[\s*["']?[A-Za-z_]\w*["']?\s*:\s|[{,]\s*\[\s*["'\d][^\]\n]{0,80}\]\s*=|\{\s*[A-Za-z_]\w*\s*=\s/;

/** A string, or the rest of the text where its end is missing: to look further would take quadratic time. */
const STRING = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/g;

/** Names that call for a list even around one value. */
const LISTS =
  /^(?:(?:im)?mutable\.)?(?:list|array|vector|vec|seq|set|tuple|c|arraylist|linkedlist|hashset|listof|arrayof|frozenset|deque)!?$/i;

/** A name with what separates it from its value. */
const KEY =
  /\s*(?:\[\s*(["']?)([\w .$-]{1,80})\1\s*\]|"([^"\\\n]{1,80})"|'([^'\\\n]{1,80})'|[:@]?([A-Za-z_$][\w.$-]{0,80})|(\d{1,6}))(?:\s*(?:=>|->|:=|=(?![=>])|:(?!\/\/|(?<=\s:)\S))|(?<=["'])\s+to\s)[^\S\n]*/y;

/** A name that follows a value after a comma, a semicolon, a line break or a blank. */
const NEXT =
  /(?:[,;]\s{0,80}|[^\S\n]{0,20}\n\s{0,80}|[^\S\n]{1,40})(?:\[\s{0,9}["']?[\w .-]{1,80}["']?\s{0,9}\]|[:@]?["']?[A-Za-z_][\w.-]{0,80}["']?)\s{0,40}(?:=>|->|:=|=(?!=)|:(?!\/\/))/y;

/** Names of mappings, which are objects even without members. */
const MAPS = /map|dict|hash/i;

/** An ellipsis in place of a value. */
const LEFT_OUT = /[{([,;:=>\s](?:\.{3}|…)\s*(?:[,;\])}]|$)/;

/**
 * What says only a type: `string(7) "a"`, `(*string)(nil)`, `new[]`, `[]string`. And strings, which may hold the same
 * words.
 */
const TYPES =
  /("(?:[^"\\]|\\[^])*"?|(?<!\w)'(?:[^'\\]|\\[^])*'?)|\(\*?[\w.]+\)\(nil\)|\bstring\(\d+\)\s*(?=")|(?:\[\]|\bmap\[\w+\])[\w.*]+(?=\{)|\bnew\s+(?=[\w.]+\()|\bnew\s*(?:[\w.<>, ]{0,80}\[\]|[\w.<>, ]{1,80}?)\s*(?=[{(])/g;

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const DEPTH_MAX = 64;
const CHARS_MAX = 100_000;
/** Cost of a value besides its characters, in steps. */
const VALUE_WORK = 40;

interface State {
  readonly text: string;
  at: number;
  readonly work: Work;
}

/** A value as a language prints it. */
export interface Printed {
  readonly tree: Tree;
  /** True where it has marks that JSON does not have, and all its texts stand in quotes: nothing is assumed. */
  readonly isSure: boolean;
}

/**
 * Reads a value as languages print it: `Map("a" -> 1)`, `%{"a" => 1}`, `{:a 1}`, `Point{x=1}`, `np.int64(1)`; an object
 * also where texts stand without quotes: `Person(name=Ann Lee, age=42)`, `{Name:Ann Age:42 Tags:[a b]}`, PHP's
 * `print_r`. Where such a text ends is assumed: before the next name, or at the bracket. Undefined where the whole text
 * is not one such value.
 */
export function readPrinted(input: string, work: Work): Printed | undefined {
  const plain = withoutName(input.trim());
  if (plain.length > CHARS_MAX) return undefined;
  spend(work, plain.length);
  // Strings hold such marks too.
  const isForeign = /[)\]}]$/.test(plain) && FOREIGN.test(plain.replaceAll(STRING, '"s"'));
  if (!isForeign && !START.test(plain)) return undefined;
  const text = plain.replaceAll(
    TYPES,
    (type, kept?: string) => kept ?? (type.endsWith("(nil)") ? "nil" : ""),
  );
  spend(work, text.length);
  const isBare = /^[A-Za-z_]\w*=/.test(text);
  const state: State = { text: isBare ? `{${text}}` : text, at: 0, work };
  const tree = readValue(state, "", 0);
  if (tree === undefined || state.text.slice(state.at).trim() !== "") return undefined;
  const isSure = isForeign && isQuoted(tree);
  const isWhole = isSure || (tree.kind === "object" && !LEFT_OUT.test(text) && !TAKEN_OUT.test(text));
  return isWhole ? { tree, isSure } : undefined;
}

function isQuoted(tree: Tree): boolean {
  if (tree.kind === "array") return tree.items.every(isQuoted);
  if (tree.kind === "object") return tree.entries.every(({ value }) => isQuoted(value));
  return tree.kind !== "string" || !tree.bare;
}

/** Takes off the variable, and the class in Ruby's marks: `$VAR1 = `, `#<Person:0x01 …>`. */
function withoutName(text: string): string {
  return text
    .replace(
      /^(?:(?:const|let|var|my|local|return|print)\s+)?\$?[A-Za-z_]\w*\s*=\s*(?=[{([]|[A-Z]\w*[({])/,
      "",
    )
    .replace(/;\s*$/, "")
    .replace(
      /^#<([\w:]+(?![\w:]))([^]*)>$/,
      (_, name: string, body: string) => `${name}{${body.replace(/^:?0x[\da-f]+/, "")}}`,
    );
}

function readValue(state: State, closer: string, depth: number): Tree | undefined {
  spend(state.work, VALUE_WORK);
  if (depth > DEPTH_MAX) return undefined;
  if (/^[^\S\n]*\n\s*(?:\[["']?\w+["']?\]\s*=>|\))/.test(state.text.slice(state.at, state.at + 200)))
    return { kind: "literal", value: null };
  state.at += /^\s*/.exec(state.text.slice(state.at, state.at + 400))?.[0].length ?? 0;
  const ahead = state.text.slice(state.at, state.at + 120);
  const prefix = /^([@%#&*]?[A-Za-z_][\w.:!]*(?:\(\d+\))?\s*|[@%#&*])?([{([])/.exec(ahead);
  if (prefix !== null) {
    const start = state.at;
    const [opener, name = "", open = "("] = prefix;
    state.at += opener.length;
    const group = readGroup(state, open, depth);
    if (group === undefined) return undefined;
    if (endsHere(state, closer) && !isWord(opener, group)) return ofCall(name.trim(), open, group);
    state.at = start;
  }
  return readText(state, closer);
}

/** `Crème (hot)` and `main(old)` are texts, `Array (…)`, `Some("a")` and `Decimal(1.5)` are not. */
function isWord(opener: string, group: Tree): boolean {
  return (
    /^(?!Array\b|List\b|Set\b|Some\b|Just\b|Optional\b)\w.*\($/i.test(opener) &&
    group.kind === "array" &&
    (group.items.some((item) => item.kind === "string" && item.bare) ||
      (group.items.length === 0 && !LISTS.test(opener.slice(0, -1)) && !MAPS.test(opener)))
  );
}

/** Returns true before a separator, a closer, a further name or the end. */
function endsHere(state: State, closer: string): boolean {
  const rest = state.text.slice(state.at, state.at + 200);
  if (/^\s*(?:$|[,;\n])|^\s+[:"[{\d]/.test(rest) || (closer !== "" && rest.trimStart().startsWith(closer)))
    return true;
  NEXT.lastIndex = state.at;
  return NEXT.test(state.text);
}

function readGroup(state: State, open: string, depth: number): Tree | undefined {
  const closer = CLOSERS[open] ?? "";
  const entries: Entry[] = [];
  const items: Tree[] = [];
  let commas = 0;
  for (;;) {
    const between = /^[\s,;]*/.exec(state.text.slice(state.at, state.at + 4000))?.[0] ?? "";
    state.at += between.length;
    if (/[,;]/.test(between)) commas += 1;
    if (state.at >= state.text.length) return undefined;
    if (state.text[state.at] === closer) {
      state.at += 1;
      // Clojure separates by blanks: names and values take turns.
      return open === "{" && entries.length === 0 && commas < items.length - 1
        ? inPairs(items)
        : ofGroup(open, entries, items);
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

function inPairs(items: readonly Tree[]): Tree | undefined {
  const entries = items.flatMap((key, at): Entry[] => {
    const value = items[at + 1];
    return at % 2 === 0 && key.kind === "string" && value !== undefined ? [{ key: key.text, value }] : [];
  });
  return entries.length * 2 === items.length ? { kind: "object", entries } : undefined;
}

/** `Map(…)` and `Point{…}` are their members, `List(…)` its items, `Decimal("1.5")` its only argument. */
function ofCall(name: string, open: string, group: Tree): Tree | undefined {
  const last = name.split(".").at(-1) ?? "";
  if (group.kind !== "array" || last === "" || LISTS.test(last)) return group;
  const [only, ...others] = group.items;
  if (only === undefined) return open === "(" && MAPS.test(last) ? { kind: "object", entries: [] } : group;
  if (/date$/i.test(last) && others.length === 2) return dateOf(group.items);
  return others.length === 0 ? only : group;
}

/** `date(2025, 3, 1)`. */
function dateOf(items: readonly Tree[]): Tree | undefined {
  const [year, month, day] = items.map((item) => (item.kind === "number" ? item.raw : ""));
  if (!/^\d{4}$/.test(year ?? "") || !/^\d{1,2}$/.test(month ?? "") || !/^\d{1,2}$/.test(day ?? ""))
    return undefined;
  return { kind: "string", text: written(year ?? "", month ?? "", day ?? ""), bare: false };
}

function readKey(state: State): string | undefined {
  KEY.lastIndex = state.at;
  const found = KEY.exec(state.text);
  if (found === null) return undefined;
  state.at = KEY.lastIndex;
  return (found[2] ?? found[3] ?? found[4] ?? found[5] ?? found[6] ?? "").trim();
}

/** Atoms of Clojure, Elixir and Ruby: `:name`. */
const ATOM = /:([A-Za-z_][\w?!-]*)(?=[\s,;)\]}]|$)/y;

const QUOTED = /(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)')/y;

/** A quoted text, or everything before the next name, separator or closer. */
function readText(state: State, closer: string): Tree | undefined {
  const start = state.at;
  for (const form of [QUOTED, ATOM]) {
    form.lastIndex = start;
    const found = form.exec(state.text);
    state.at = start + (found?.[0].length ?? 0);
    if (found !== null && (form === ATOM || endsHere(state, closer)))
      return { kind: "string", text: unescaped(found[1] ?? found[2] ?? ""), bare: false };
    state.at = start;
  }
  let depth = 0;
  for (; state.at < state.text.length; state.at += 1) {
    const char = state.text[state.at] ?? "";
    if (depth === 0 && (char === closer || char === "," || char === ";" || /\s/.test(char))) {
      if (char === closer || isEnd(state, closer)) break;
    }
    if (char === "(" || char === "[" || char === "{") depth += 1;
    else if (char === ")" || char === "]" || char === "}") depth -= 1;
    if (depth < 0) return undefined;
  }
  spend(state.work, 2 * (state.at - start));
  const text = state.text.slice(start, state.at).trim();
  // A quoted text with something behind it is no value of these notations.
  return /^["']/.test(text) || (text !== "" && !/[\p{L}\p{N}]/u.test(text)) ? undefined : scalarOf(text);
}

/** Returns true at a comma in a list, and where a further name follows. */
function isEnd(state: State, closer: string): boolean {
  NEXT.lastIndex = state.at;
  return (
    NEXT.test(state.text) ||
    (closer === "}" ? /^[,;]\s/ : /^[,;][\s\d"'([{:-]/).test(state.text.slice(state.at, state.at + 2)) ||
    /^.(?:\s*\n|\s+:[a-z])|^\d\s+"/i.test(state.text.slice(state.at - 1, state.at + 200))
  );
}

function scalarOf(text: string): Tree {
  if (text === "") return { kind: "literal", value: null };
  const literal = literalOf(text.replaceAll(/^(?:\$|np\.)|_$/g, ""));
  if (literal !== undefined) return { kind: "literal", value: literal.value };
  return plainScalar(NUMBER.test(text) ? text.replaceAll(/_|^\+|[LfFdD]$/g, "") : text);
}

/** A number with its grouping, its sign or its type. */
const NUMBER = /^[-+]?\d[\d_]*(?:L|\.\d+(?:[eE][-+]?\d+)?[fFdD]?)?$/;

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([\s\S]))/g,
    (whole, ...found) => {
      const [braced, four, two, char] = found as (string | undefined)[];
      const code = braced ?? four ?? two;
      if (code !== undefined) return String.fromCodePoint(Math.min(0x10_ff_ff, Number.parseInt(code, 16)));
      return char === undefined ? whole : (SIMPLE[char] ?? (/\w/.test(char) ? whole : char));
    },
  );
}
