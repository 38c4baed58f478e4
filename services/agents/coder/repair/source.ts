import { readTokens } from "./tokens.ts";
import type { Token } from "./tokens.ts";
import { findFunctions } from "./functions.ts";
import type { FunctionRange } from "./functions.ts";

/** A file as the repair moves see it. Indexes are of tokens. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** For each bracket the index of its partner; -1 for everything else. */
  readonly partners: readonly number[];
  readonly functions: readonly FunctionRange[];
}

const OPENERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };

export function readSource(path: string, text: string): Source {
  const tokens = readTokens(text);
  const partners = matchBrackets(tokens);
  return { path, text, tokens, partners, functions: findFunctions(tokens, partners) };
}

function matchBrackets(tokens: readonly Token[]): number[] {
  const partners = tokens.map(() => -1);
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (Object.hasOwn(OPENERS, text)) open.push(index);
    const opener = open.at(-1);
    if (opener === undefined || OPENERS[tokens[opener]?.text ?? ""] !== text) continue;
    open.pop();
    partners[index] = opener;
    partners[opener] = index;
  }
  return partners;
}

/** The token at an index, or one that means nothing. */
export function tokenAt(source: Pick<Source, "tokens">, index: number): Token {
  return source.tokens[index] ?? { kind: "mark", text: "", start: 0, end: 0, line: 0 };
}

/** The code of a range of tokens, first and last included. */
export function codeOf(source: Source, first: number, last: number): string {
  return source.text.slice(tokenAt(source, first).start, tokenAt(source, last).end);
}

const KEYWORDS = new Set(
  "break case catch class const continue debugger default delete do else export extends finally for function if import in instanceof new return super switch this throw try typeof var void while with yield let static async await of null true false undefined".split(
    " ",
  ),
);

/** A name that somebody chose. */
export function isName(token: Token): boolean {
  return token.kind === "word" && !KEYWORDS.has(token.text);
}

/** A chain such as `order.lines[0].total()`, from its first token to its last. */
export interface Chain {
  readonly first: number;
  readonly last: number;
}

/** The whole chain in which a token stands, which is a name, `this` or a closing bracket. */
export function chainAt(source: Source, index: number): Chain {
  let first = index;
  while (isDot(tokenAt(source, first - 1).text)) first = startOfLink(source, first - 2);
  let last = index;
  for (;;) {
    const next = tokenAt(source, last + 1).text;
    if (isDot(next) && tokenAt(source, last + 2).kind === "word") last += 2;
    else if (isDot(next) && ["[", "("].includes(tokenAt(source, last + 2).text))
      last = partnerOf(source, last + 2);
    else if (next === "(" || next === "[") last = partnerOf(source, last + 1);
    else return { first, last };
  }
}

function startOfLink(source: Source, index: number): number {
  let at = index;
  while ([")", "]"].includes(tokenAt(source, at).text)) {
    const opener = source.partners[at] ?? -1;
    const before = tokenAt(source, opener - 1);
    const isCall = isName(before) || [")", "]"].includes(before.text) || before.text === "this";
    if (opener < 0) return at;
    if (!isCall) return opener;
    at = opener - 1;
  }
  return at;
}

function partnerOf(source: Source, index: number): number {
  const partner = source.partners[index] ?? -1;
  return partner < index ? index : partner;
}

export function isDot(text: string): boolean {
  return text === "." || text === "?.";
}

/** A call: its callee's last name, its brackets and where its arguments begin and end. */
export interface Call {
  readonly name: number;
  readonly open: number;
  readonly close: number;
  /** First and last token of each argument. */
  readonly args: readonly (readonly [number, number])[];
}

const NO_CALLEES = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "function",
  "return",
  "await",
  "typeof",
]);

/** Every call, constructions included; declarations of functions and methods left out. */
export function callsOf(source: Source): Call[] {
  return source.tokens.flatMap((token, open) => {
    const close = source.partners[open] ?? -1;
    const callee = tokenAt(source, open - 1);
    if (token.text !== "(" || close < open || callee.kind !== "word" || NO_CALLEES.has(callee.text))
      return [];
    if (tokenAt(source, open - 2).text === "function" || isDeclared(source, close)) return [];
    return [{ name: open - 1, open, close, args: splitList(source, open, close) }];
  });
}

/** `name(…) {` is a method's declaration. */
function isDeclared(source: Source, close: number): boolean {
  return tokenAt(source, close + 1).text === "{";
}

/** The parts between the commas of a bracket. */
export function splitList(source: Source, open: number, close: number): (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  let first = open + 1;
  for (let at = first; at <= close; at += 1) {
    if (at === close || tokenAt(source, at).text === ",") {
      if (at > first) parts.push([first, at - 1]);
      first = at + 1;
    } else {
      const partner = source.partners[at] ?? -1;
      if (partner > at) at = partner;
    }
  }
  return parts;
}

/**
 * Whether a token stands where a value is taken: not in a function's header, not in a pattern that takes a value
 * apart, not in the list of an import, and not as the name of a member.
 */
export function isValuePlace(source: Source, index: number): boolean {
  const isHeader = source.functions.some(({ first, body }) => first <= index && index < body);
  if (isHeader || tokenAt(source, index + 1).text === "=>") return false;
  const before = tokenAt(source, index - 1).text;
  if (isDeclaring(before) || (tokenAt(source, index + 1).text === ":" && ["{", ","].includes(before)))
    return false;
  const open = enclosing(source, index);
  const opener = tokenAt(source, open).text;
  const isPattern =
    isDeclaring(tokenAt(source, open - 1).text) ||
    tokenAt(source, (source.partners[open] ?? -1) + 1).text === "=";
  return open < 0 || !isPattern || !["{", "["].includes(opener);
}

function isDeclaring(text: string): boolean {
  return ["const", "let", "var", "import", "export", "function", "class"].includes(text);
}

/** An object literal or a pattern, rather than a block. */
export function isObject(source: Source, open: number): boolean {
  const before = tokenAt(source, open - 1).text;
  return [
    "(",
    ",",
    "=",
    ":",
    "[",
    "return",
    "??",
    "||",
    "&&",
    "?",
    "...",
    "const",
    "let",
    "var",
    "import",
    "export",
  ].includes(before);
}

/** The bracket around a token; -1 at the top. */
export function enclosing(source: Source, index: number): number {
  for (let at = index - 1; at >= 0; at -= 1) {
    const partner = source.partners[at] ?? -1;
    if (partner > index) return at;
    if (partner >= 0 && partner < at) at = partner;
  }
  return -1;
}

/** The innermost function around a token; null at the top of the file. */
export function functionAround(source: Source, index: number): FunctionRange | null {
  const around = source.functions.filter(({ first, last }) => first <= index && index <= last);
  return around.reduce<FunctionRange | null>(
    (best, one) => (best === null || one.last - one.first < best.last - best.first ? one : best),
    null,
  );
}
