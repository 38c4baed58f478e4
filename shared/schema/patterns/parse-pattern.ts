/** Syntax tree of a regular expression. The native engine matches single characters. */
export type PatternNode =
  | { readonly kind: "char"; readonly accepts: (codePoint: number) => boolean }
  | { readonly kind: "sequence" | "choice"; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly node: PatternNode;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    }
  | { readonly kind: "look"; readonly node: PatternNode; readonly ahead: boolean }
  | { readonly kind: "start" | "end" | "word_edge" | "no_word_edge" };

interface Cursor {
  readonly pattern: string;
  at: number;
}

class Unsupported extends Error {}

/** Parses a pattern that the native engine accepts. Undefined for back references and look-behind. */
export function parsePattern(pattern: string): PatternNode | undefined {
  try {
    const cursor = { pattern, at: 0 };
    const node = parseChoice(cursor);
    return cursor.at === pattern.length ? node : undefined;
  } catch (error) {
    if (error instanceof Unsupported || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseChoice(cursor: Cursor): PatternNode {
  const nodes = [parseSequence(cursor)];
  while (cursor.pattern[cursor.at] === "|") {
    cursor.at += 1;
    nodes.push(parseSequence(cursor));
  }
  return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "choice", nodes };
}

function parseSequence(cursor: Cursor): PatternNode {
  const nodes: PatternNode[] = [];
  while (cursor.at < cursor.pattern.length && !"|)".includes(cursor.pattern[cursor.at] ?? "")) {
    nodes.push(parseRepeat(cursor, parseAtom(cursor)));
  }
  return { kind: "sequence", nodes };
}

function parseRepeat(cursor: Cursor, node: PatternNode): PatternNode {
  const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\?)?/.exec(
    cursor.pattern.slice(cursor.at, cursor.at + 32),
  );
  if (found === null) return node;
  const [whole, sign, least, comma, most, lazy] = found;
  cursor.at += whole.length;
  const lower = sign === undefined ? Number(least) : Number(sign === "+");
  const open = sign === "*" || sign === "+" || (comma !== undefined && most === "");
  const upper = sign === "?" ? 1 : Number(most ?? least);
  return {
    kind: "repeat",
    node,
    least: lower,
    most: open ? Number.POSITIVE_INFINITY : upper,
    lazy: lazy !== undefined,
  };
}

function parseAtom(cursor: Cursor): PatternNode {
  const char = cursor.pattern[cursor.at] ?? "";
  if (char === "(") return parseGroup(cursor);
  if (char === "^" || char === "$") {
    cursor.at += 1;
    return { kind: char === "^" ? "start" : "end" };
  }
  const edge = /^\\[bB]/.exec(cursor.pattern.slice(cursor.at, cursor.at + 2))?.[0];
  if (edge !== undefined) {
    cursor.at += 2;
    return { kind: edge === "\\b" ? "word_edge" : "no_word_edge" };
  }
  return parseChar(cursor);
}

function parseGroup(cursor: Cursor): PatternNode {
  const opener =
    /^\((?:\?(?:[:=!]|<(?![=!])[^>]*>)?)?/.exec(cursor.pattern.slice(cursor.at, cursor.at + 64))?.[0] ?? "(";
  if (opener === "(?") throw new Unsupported();
  cursor.at += opener.length;
  const node = parseChoice(cursor);
  cursor.at += 1;
  if (opener === "(?=" || opener === "(?!") return { kind: "look", node, ahead: opener === "(?=" };
  return node;
}

const CHAR =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|[^])/su;

function parseChar(cursor: Cursor): PatternNode {
  const source = CHAR.exec(cursor.pattern.slice(cursor.at))?.[0] ?? "";
  if (source === "" || /^\\[1-9k]/.test(source)) throw new Unsupported();
  cursor.at += source.length;
  return { kind: "char", accepts: accepting(oneChar(source)) };
}

/** Caches the native engine's answers for common characters. */
function accepting(test: RegExp): (codePoint: number) => boolean {
  const usual = new Int8Array(128);
  return (codePoint) => {
    const known = usual[codePoint];
    if (known !== undefined && known !== 0) return known === 1;
    const accepts = test.test(String.fromCodePoint(codePoint));
    if (codePoint < usual.length) usual[codePoint] = accepts ? 1 : -1;
    return accepts;
  };
}

function oneChar(source: string): RegExp {
  try {
    return new RegExp(`^${source}$`, "u");
  } catch {
    return new RegExp(`^${source}$`);
  }
}
