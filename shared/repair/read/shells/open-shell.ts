import { jsonValueOf } from "#shared/schema";
import { folded } from "../../align/match-words.ts";
import { JSON_NUMBER, literalOf } from "../tree.ts";
import type { Entry, Tree } from "../tree.ts";
import { ANSWERS, ASIDES, CALL_HEADS, CHUNKS, PARAMETER_ELEMENTS } from "./dialects.ts";

/** Contents of an answer of a provider's API. */
interface Cargo {
  /** Arguments of tool and function calls: objects, or strings of JSON. */
  readonly calls: readonly Tree[];
  /** Texts of the assistant; the parts of one message are joined. */
  readonly texts: readonly string[];
}

const NOTHING: Cargo = { calls: [], texts: [] };

/** Maximum levels from the outermost object to a call's arguments. */
const DEPTH_MAX = 8;

/**
 * Returns what an answer of a model API carries: its calls' arguments, or else its texts; nothing for unknown members
 * or an error. @example `{"choices": [{"message": {"content": "{\"a\": 1}"}}]}` carries `{"a": 1}`.
 */
export function openShell(tree: Tree): readonly Tree[] {
  const cargo = cargoOf(tree, { depth: 0, isLed: false });
  if (cargo === undefined) return [];
  return cargo.calls.length > 0
    ? cargo.calls
    : cargo.texts.map((text): Tree => ({ kind: "string", text, bare: true }));
}

interface Position {
  readonly depth: number;
  /** True below a member that leads to a message: only there may an object without a role hold the text. */
  readonly isLed: boolean;
}

/** Undefined: the tree is no part of a provider's answer. */
function cargoOf(tree: Tree, at: Position): Cargo | undefined {
  if (at.depth > DEPTH_MAX) return undefined;
  if (tree.kind === "array") return cargoOfParts(tree.items, at);
  return tree.kind === "object" ? cargoOfObject(tree, at) : undefined;
}

function cargoOfParts(items: readonly Tree[], at: Position): Cargo | undefined {
  const parts: Cargo[] = [];
  for (const item of items) {
    const part = item.kind === "object" ? cargoOf(item, at) : undefined;
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const texts = parts.flatMap((part) => part.texts);
  // Parts of one message are one text; messages are not.
  const arePieces = items.every(
    (item) => textOf(item, "type") !== undefined || item.kind !== "object" || item.entries.length === 1,
  );
  return {
    calls: parts.flatMap((part) => part.calls),
    texts: arePieces && texts.length > 1 ? [texts.join("")] : texts,
  };
}

function cargoOfObject(tree: Tree & { kind: "object" }, at: Position): Cargo | undefined {
  if (isOfOthers(tree)) return NOTHING;
  const below = { depth: at.depth + 1, isLed: true };
  const calls: Tree[] = [];
  const texts: string[] = [];
  let isShell = false;
  const isCall = isCallLike(tree);
  // Beside a member that names its kind, what else a whole answer has are settings. Elsewhere it is data.
  const isWhole = /completion|response/.test(textOf(tree, "object") ?? "");
  for (const { key, value } of tree.entries) {
    const name = folded(key);
    const isEmpty = value.kind === "literal" && value.value !== true;
    if (isCall && ANSWERS.arguments.has(name)) {
      calls.push(value);
      isShell = true;
    } else if (ANSWERS.leads.has(name) && (value.kind === "object" || value.kind === "array")) {
      const cargo = cargoOf(value, below);
      if (cargo === undefined) return undefined;
      calls.push(...cargo.calls);
      texts.push(...cargo.texts);
      isShell = true;
    } else if (ANSWERS.texts.has(name) && value.kind === "string") {
      if (!at.isLed && !isMarked(tree)) return undefined;
      texts.push(value.text);
      isShell = true;
    } else if (isEmpty || (isWhole && !/error/.test(name))) continue;
    else if (!ANSWERS.labels.has(name)) return undefined;
  }
  return isShell ? { calls, texts: calls.length > 0 ? [] : texts } : undefined;
}

/** A message of somebody else, or a part that is no answer. */
function isOfOthers(tree: Tree & { kind: "object" }): boolean {
  const isThought = tree.entries.some(
    ({ key, value }) => key === "thought" && value.kind === "literal" && value.value === true,
  );
  return (
    isThought ||
    /^(?:user|system|developer)$/.test(textOf(tree, "role") ?? "") ||
    ASIDES.test(folded(textOf(tree, "type") ?? ""))
  );
}

/** `name` beside its arguments, or a part whose type says that it is a call. */
function isCallLike(tree: Tree & { kind: "object" }): boolean {
  const names = new Set(tree.entries.map(({ key }) => folded(key)));
  if (![...ANSWERS.arguments].some((name) => names.has(name))) return false;
  const isNamed = ["name", "toolname", "tooluseid", "toolcallid"].some((name) => names.has(name));
  const type = textOf(tree, "type") ?? "";
  return isNamed || /call|tool|function/.test(type) || names.has("structuredcontent");
}

/** Returns true where a member shows a provider's object: a role, a type of part, or a model that is done. */
function isMarked(tree: Tree & { kind: "object" }): boolean {
  const type = textOf(tree, "type") ?? "";
  const isDone = tree.entries.some(({ key, value }) => key === "done" && value.kind === "literal");
  if (isDone && textOf(tree, "model") !== undefined) return true;
  return textOf(tree, "role") !== undefined || /^(?:text|output_text|message|ai|assistant)$/i.test(type);
}

function textOf(tree: Tree, name: string): string | undefined {
  if (tree.kind !== "object") return undefined;
  const found = tree.entries.find(({ key }) => folded(key) === name)?.value;
  return found?.kind === "string" ? found.text : undefined;
}

const FIRST_LINE = /^(?:data|event|id|retry|:|\{[^\n]*\}\s*$)/;
const CHUNKS_MIN = 2;

interface Pieces {
  readonly calls: string[];
  readonly texts: string[];
}

/**
 * Joins a stream of server-sent events: a call's arguments, or else the text. Undefined for a stream of whole values.
 * @example `data: {"choices":[{"delta":{"content":"{\"a\""}}]}` and further lines give `{"a": 1}`.
 */
export function joinStream(text: string): string | undefined {
  const [first, ...others] = text.trimStart().split("\n", 2);
  if (first === undefined || others.length === 0 || !FIRST_LINE.test(first)) return undefined;
  const pieces: Pieces = { calls: [], texts: [] };
  let chunks = 0;
  for (const line of text.split("\n")) {
    const said = line.trim();
    if (said === "" || /^(?:event|id|retry):|^:/.test(said)) continue;
    const data = said.replace(/^data:\s*/, "");
    if (data === "[DONE]") continue;
    const chunk = jsonValueOf(data);
    if (typeof chunk !== "object" || chunk === null) return undefined;
    collect(chunk, { pieces, depth: 0 });
    chunks += 1;
  }
  const joined = (pieces.calls.length > 0 ? pieces.calls : pieces.texts).join("");
  return chunks < CHUNKS_MIN || joined.trim() === "" ? undefined : joined;
}

function collect(value: object, at: { readonly pieces: Pieces; readonly depth: number }): void {
  if (at.depth > DEPTH_MAX) return;
  const below = { pieces: at.pieces, depth: at.depth + 1 };
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = Array.isArray(value) ? "parts" : folded(key);
    if (typeof inner === "string" && CHUNKS.arguments.has(name)) at.pieces.calls.push(inner);
    else if (typeof inner === "string" && CHUNKS.texts.has(name)) at.pieces.texts.push(inner);
    else if (typeof inner === "object" && inner !== null && CHUNKS.leads.has(name)) collect(inner, below);
  }
}

/** Reads tool calls as `name[ARGS]{…}`, or with parameters as elements. None where one of them cannot be read. */
export function readCalls(
  text: string,
  readFlow: (text: string) => Tree | undefined,
): readonly { readonly name: string; readonly given: Tree }[] {
  // In JSON such marks are part of a text.
  if (/^\s*(?:\{|\[\s*["{[\d])/.test(text)) return [];
  const heads = [...text.matchAll(CALL_HEADS)];
  const calls = heads.flatMap((head, at) => {
    const body = text.slice(head.index + head[0].length, heads[at + 1]?.index);
    const name = head.slice(1).find((one) => one !== undefined) ?? "";
    const given = inElements(body, readFlow) ?? inBraces(body, readFlow);
    return given === undefined ? [] : [{ name, given }];
  });
  return calls.length === heads.length ? calls : [];
}

/** The object at the beginning, up to the brace that balances it in a line of its own or before a mark. */
function inBraces(body: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  const start = /^\s*(?:```(?:json)?\s*)?(?=\{)/.exec(body)?.[0].length;
  const end = body.lastIndexOf("}") + 1;
  return start === undefined || end <= start ? undefined : readFlow(body.slice(start, end));
}

function inElements(body: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  for (const element of PARAMETER_ELEMENTS) {
    const entries = [...body.matchAll(element)].map(([, key = "", written = ""]): Entry => {
      const value = written.replaceAll(/^\n|\n$/g, "");
      return { key, value: readJson(value, readFlow) ?? { kind: "string", text: value, bare: true } };
    });
    if (entries.length > 0) return { kind: "object", entries };
  }
  return undefined;
}

/** Texts stand there as they are, all else as JSON. */
function readJson(value: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  if (/^(?:null|true|false)$/.test(value)) return literalOf(value);
  if (JSON_NUMBER.test(value)) return { kind: "number", raw: value };
  return /^\s*[[{]/.test(value) ? readFlow(value) : undefined;
}
