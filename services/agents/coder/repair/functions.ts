import type { Token } from "./tokens.ts";

/** A function with its header, by indexes of tokens. */
export interface FunctionRange {
  /** "" for one without a name. */
  readonly name: string;
  readonly params: readonly string[];
  readonly isAsync: boolean;
  /** First token of the header, `async` included. */
  readonly first: number;
  /** First token of the body: `{`, or where an arrow's expression begins. */
  readonly body: number;
  readonly last: number;
  readonly isExpression: boolean;
  readonly firstLine: number;
  readonly lastLine: number;
}

const NO_METHODS = new Set(["if", "for", "while", "switch", "catch", "with"]);

/** Every function of a file: declarations, methods and arrows. */
export function findFunctions(tokens: readonly Token[], partners: readonly number[]): FunctionRange[] {
  const reader = { tokens, partners };
  return tokens.flatMap(({ text }, index) => {
    if (text === "=>") return readArrow(reader, index) ?? [];
    if (text === "(") return readNamed(reader, index) ?? [];
    return [];
  });
}

interface Reader {
  readonly tokens: readonly Token[];
  readonly partners: readonly number[];
}

const textAt = ({ tokens }: Reader, index: number): string => tokens[index]?.text ?? "";

/** `function name(…) {` and `name(…) {`. */
function readNamed(reader: Reader, open: number): FunctionRange | null {
  const close = reader.partners[open] ?? -1;
  const body = close + 1;
  if (close < open || textAt(reader, body) !== "{") return null;
  const before = reader.tokens[open - 1];
  if (before === undefined || before.kind !== "word" || NO_METHODS.has(before.text)) return null;
  const isAnonymous = before.text === "function";
  const isFunction = isAnonymous || textAt(reader, open - 2) === "function";
  const head = isAnonymous ? open - 1 : isFunction ? open - 2 : open - 1;
  return range(reader, {
    name: isAnonymous ? assignedName(reader, head) : before.text,
    params: namesIn(reader, open, close),
    head,
    body,
    last: reader.partners[body] ?? body,
    isExpression: false,
  });
}

function readArrow(reader: Reader, arrow: number): FunctionRange | null {
  const close = arrow - 1;
  const isListed = textAt(reader, close) === ")";
  const head = isListed ? (reader.partners[close] ?? -1) : close;
  if (head < 0) return null;
  const body = arrow + 1;
  const isBlock = textAt(reader, body) === "{";
  return range(reader, {
    name: assignedName(reader, textAt(reader, head - 1) === "async" ? head - 1 : head),
    params: isListed ? namesIn(reader, head, close) : [textAt(reader, head)],
    head,
    body,
    last: isBlock ? (reader.partners[body] ?? body) : endOfExpression(reader, body),
    isExpression: !isBlock,
  });
}

interface Found extends Pick<FunctionRange, "name" | "params" | "body" | "last" | "isExpression"> {
  readonly head: number;
}

function range(reader: Reader, { head, ...found }: Found): FunctionRange {
  const isAsync = textAt(reader, head - 1) === "async";
  const first = isAsync ? head - 1 : head;
  const lineOf = (index: number): number => reader.tokens[index]?.line ?? 0;
  return { ...found, isAsync, first, firstLine: lineOf(first), lastLine: lineOf(found.last) };
}

/** `const name =` or `name:` before a function that has none of its own. */
function assignedName(reader: Reader, head: number): string {
  const sign = textAt(reader, head - 1);
  const name = reader.tokens[head - 2];
  return (sign === "=" || sign === ":") && name?.kind === "word" ? name.text : "";
}

/** Names of parameters, those within patterns included; defaults left out as far as they are plain. */
function namesIn({ tokens }: Reader, open: number, close: number): string[] {
  return tokens.slice(open + 1, close).flatMap((token, offset, own) => {
    const before = own[offset - 1]?.text ?? "";
    const after = own[offset + 1]?.text ?? "";
    return token.kind === "word" && before !== "=" && before !== "." && after !== ":" ? [token.text] : [];
  });
}

/** Last token of an arrow's expression: before the comma, bracket or semicolon that ends it. */
function endOfExpression(reader: Reader, from: number): number {
  for (let at = from; at < reader.tokens.length; at += 1) {
    const partner = reader.partners[at] ?? -1;
    if (partner > at) at = partner;
    else if ([",", ";", ")", "]", "}"].includes(textAt(reader, at))) return at - 1;
  }
  return reader.tokens.length - 1;
}
