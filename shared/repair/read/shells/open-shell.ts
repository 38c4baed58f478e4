import { folded } from "../../align/match-words.ts";
import type { Tree } from "../tree.ts";
import { ANSWERS, ASIDES } from "./dialects.ts";

/** What an answer of a provider's API carries. */
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
 * Returns what an answer of a model API carries: the arguments of its calls, or its texts if it calls nothing. Knows
 * the providers by their members' names, and gives nothing where a member is none of theirs, or tells of an error.
 *
 * @example `{"choices": [{"message": {"content": "{\"a\": 1}"}}]}` carries the text `{"a": 1}`.
 */
export function openShell(tree: Tree): readonly Tree[] {
  if (tree.kind !== "object" && tree.kind !== "array") return [];
  const cargo = cargoOf(tree, { depth: 0, isLed: false });
  if (cargo === undefined) return [];
  return cargo.calls.length > 0
    ? cargo.calls
    : cargo.texts.map((text): Tree => ({ kind: "string", text, bare: true }));
}

interface Position {
  readonly depth: number;
  /** True below a member that leads to a message: only there may a bare string be the text. */
  readonly isLed: boolean;
}

/** Undefined: the tree is no part of a provider's answer. */
function cargoOf(tree: Tree, at: Position): Cargo | undefined {
  if (at.depth > DEPTH_MAX) return undefined;
  if (tree.kind === "array") return cargoOfParts(tree.items, at);
  if (tree.kind === "object") return cargoOfObject(tree, at);
  if (tree.kind === "string") return at.isLed ? { calls: [], texts: [tree.text] } : undefined;
  return tree.kind === "literal" && tree.value === null ? NOTHING : undefined;
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

/**
 * An object that says by a member of its own that it is a provider's: a role, a type of part, or a model that is done.
 */
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
