import type { Work } from "./reader.ts";
import { spend } from "./reader.ts";
import { JSON_NUMBER } from "./tree.ts";
import type { Entry, Tree } from "./tree.ts";

/** Marks that JSON and JavaScript's objects do not have: arrows, prefixed braces, calls, keywords. */
const FOREIGN =
  /=>|->|[%#@]\{|\b[A-Za-z_]\w*\s{0,9}[({]|[{[(\s]:[A-Za-z]|\bnp\.\w|\[\s*["']?[A-Za-z_]\w*["']?\s*:\s|[{,]\s*\[\s*["'\d][^\]\n]{0,80}\]\s*=|\{\s*[A-Za-z_]\w*\s*=\s/;

/** A string, or the rest of the text where its end is missing: to look further would take quadratic time. */
const STRING = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/g;

const TOKEN =
  /[\s]+|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|=>|->|:=|[%#@]\{|[-+]?(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?)(?:[LlfFdDmM]\b)?|:[A-Za-z_][\w?!-]*|[A-Za-z_$][\w$.]*|[{}[\](),:=;]/y;

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["True", true],
  ["False", false],
  ["TRUE", true],
  ["FALSE", false],
  ["np.True_", true],
  ["np.False_", false],
  ["null", null],
  ["NULL", null],
  ["None", null],
  ["Nothing", null],
  ["nil", null],
  ["undef", null],
  ["NA", null],
]);

/** Names that call for a list even around one value. */
const LISTS =
  /^(?:(?:im)?mutable\.)?(?:list|array|vector|vec|seq|set|tuple|c|arraylist|linkedlist|hashset|listof|arrayof|frozenset|deque)!?$/i;

const CLOSERS: Readonly<Record<string, string>> = {
  "{": "}",
  "%{": "}",
  "#{": "}",
  "@{": "}",
  "[": "]",
  "(": ")",
};
const SEPARATORS: ReadonlySet<string> = new Set([":", "=", "=>", "->", ":=", "to"]);
const DEPTH_MAX = 64;
/** Cost of a value besides its characters, in steps. */
const VALUE_WORK = 20;

interface State {
  readonly tokens: readonly string[];
  at: number;
  readonly work: Work;
}

/** What stands between two brackets. */
interface Group {
  readonly pairs: readonly Entry[];
  readonly items: readonly Tree[];
}

/**
 * Reads a value as programming languages print it: `Map("a" -> 1)`, `%{"a" => 1}`, `{:a 1}`, `list(a = 1)`,
 * `Point{x=1}`, `np.int64(1)`. Strict: every character must be part of the value, every text must be quoted. Undefined
 * for anything else, and for what JSON's own reader knows.
 */
export function readNotation(text: string, work: Work): Tree | undefined {
  const plain = text.trim().replace(/;$/, "");
  if (!/[)\]}]$/.test(plain)) return undefined;
  spend(work, plain.length);
  // Strings hold such marks too.
  if (!FOREIGN.test(plain.replaceAll(STRING, '"s"'))) return undefined;
  const tokens = tokensOf(plain, work);
  if (tokens === undefined) return undefined;
  const state: State = { tokens, at: 0, work };
  const value = readValue(state, 0);
  return state.at === tokens.length ? value : undefined;
}

function tokensOf(text: string, work: Work): string[] | undefined {
  spend(work, text.length);
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    if (token.trim() !== "") tokens.push(token);
  }
  return tokens;
}

function readValue(state: State, depth: number): Tree | undefined {
  const token = state.tokens[state.at];
  if (token === undefined || depth > DEPTH_MAX) return undefined;
  spend(state.work, VALUE_WORK);
  state.at += 1;
  if (CLOSERS[token] !== undefined)
    return ofGroup(readGroup(state, token, depth), token === "[" || token === "(");
  if (/^["']/.test(token)) return { kind: "string", text: unquoted(token), bare: false };
  const literal = LITERALS.get(token);
  if (literal !== undefined) return { kind: "literal", value: literal };
  if (/^[-+\d]/.test(token)) return numberOf(token);
  if (/^:./.test(token)) return { kind: "string", text: token.slice(1), bare: false };
  if (!/^[A-Za-z_$]/.test(token)) return undefined;
  if (token === "new") return readValue(state, depth);
  const open = state.tokens[state.at] ?? "";
  if (open !== "(" && open !== "{" && open !== "[") return undefined;
  state.at += 1;
  return ofCall(token, readGroup(state, open, depth));
}

function readGroup(state: State, open: string, depth: number): Group | undefined {
  const closer = CLOSERS[open];
  const pairs: Entry[] = [];
  const items: Tree[] = [];
  let commas = 0;
  while (state.tokens[state.at] !== closer) {
    const entry = readPair(state, depth);
    if (entry !== undefined) pairs.push(entry);
    else {
      const item = readValue(state, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    const next = state.tokens[state.at];
    if (next === "," || next === ";") {
      state.at += 1;
      commas += 1;
    } else if (next !== closer && !isLisp(open, items)) return undefined;
  }
  state.at += 1;
  return open === "{" && pairs.length === 0 && commas < items.length - 1 ? inPairs(items) : { pairs, items };
}

/** Clojure separates by blanks: names and values take turns. */
function isLisp(open: string, items: readonly Tree[]): boolean {
  return open === "{" || (open === "[" && items.length > 0);
}

function inPairs(items: readonly Tree[]): Group | undefined {
  if (items.length % 2 === 1) return undefined;
  const pairs: Entry[] = [];
  for (let at = 0; at < items.length; at += 2) {
    const [key, value] = [items[at], items[at + 1]];
    if (key?.kind !== "string" || value === undefined) return undefined;
    pairs.push({ key: key.text, value });
  }
  return { pairs, items: [] };
}

/** Undefined, without moving, where no name with a separator stands; at the end where its value is missing. */
function readPair(state: State, depth: number): Entry | undefined {
  const bracketed = bracketedName(state);
  if (bracketed !== undefined) return readBracketed(state, bracketed, depth);
  const [name, separator, further] = state.tokens.slice(state.at, state.at + 3);
  if (name === undefined || separator === undefined) return undefined;
  // `name:` of Ruby and Elixir; `name :atom` is a name and a value.
  const isName = /^["'A-Za-z_$]/.test(name) || (name.startsWith(":") && separator !== ":");
  if (!isName || !SEPARATORS.has(separator) || further === undefined) return undefined;
  state.at += 2;
  const value = readValue(state, depth + 1);
  if (value === undefined) {
    // Nothing else may stand there. To read on from the name would take time exponential in the depth.
    state.at = state.tokens.length;
    return undefined;
  }
  return { key: /^["']/.test(name) ? unquoted(name) : name.replace(/^:/, ""), value };
}

/** Lua's `["name"] = value`. */
function bracketedName({ tokens, at }: State): string | undefined {
  const [open, name, close, equals] = tokens.slice(at, at + 4);
  return open === "[" && close === "]" && equals === "=" && /^["']/.test(name ?? "") ? name : undefined;
}

function readBracketed(state: State, name: string, depth: number): Entry | undefined {
  state.at += 4;
  const value = readValue(state, depth + 1);
  return value === undefined ? undefined : { key: unquoted(name), value };
}

function ofGroup(group: Group | undefined, isList: boolean): Tree | undefined {
  if (group === undefined || (group.pairs.length > 0 && group.items.length > 0)) return undefined;
  if (group.pairs.length > 0) return { kind: "object", entries: group.pairs };
  return isList || group.items.length > 0
    ? { kind: "array", items: group.items }
    : { kind: "object", entries: [] };
}

/** `Map(…)` and `Point{…}` are their members, `List(…)` its items, `Decimal("1.5")` its only argument. */
function ofCall(name: string, group: Group | undefined): Tree | undefined {
  const last = name.split(".").at(-1) ?? name;
  if (/date$/i.test(last) && group?.items.length === 3) return dateOf(group.items);
  if (group !== undefined && group.pairs.length === 0 && group.items.length === 1 && !LISTS.test(last)) {
    const [only] = group.items;
    return only?.kind === "array" || only?.kind === "object" || !/^(?:map|dict|hash)/i.test(last)
      ? only
      : undefined;
  }
  return ofGroup(group, !/map|dict|hash/i.test(last) || LISTS.test(last));
}

/** `date(2025, 3, 1)`. */
function dateOf(items: readonly Tree[]): Tree | undefined {
  const [year, month, day] = items.map((item) => (item.kind === "number" ? item.raw : ""));
  if (!/^\d{4}$/.test(year ?? "") || !/^\d{1,2}$/.test(month ?? "") || !/^\d{1,2}$/.test(day ?? ""))
    return undefined;
  return {
    kind: "string",
    text: [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-"),
    bare: false,
  };
}

function numberOf(token: string): Tree | undefined {
  const raw = token
    .replaceAll("_", "")
    .replace(/[LlfFdDmM]$/, "")
    .replace(/^\+/, "");
  return JSON_NUMBER.test(raw) ? { kind: "number", raw } : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

function unquoted(token: string): string {
  return token
    .slice(1, -1)
    .replaceAll(
      /\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([\s\S]))/g,
      (whole, ...found) => {
        const [braced, four, two, char] = found as (string | undefined)[];
        const code = braced ?? four ?? two;
        if (code !== undefined) return String.fromCodePoint(Math.min(0x10_ff_ff, Number.parseInt(code, 16)));
        return char === undefined ? whole : (ESCAPES[char] ?? char);
      },
    );
}
