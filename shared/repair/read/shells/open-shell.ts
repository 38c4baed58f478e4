import { folded } from "../../align/match-words.ts";
import type { Tree } from "../tree.ts";

/** What an answer of a provider's API carries. */
interface Cargo {
  /** Arguments of tool and function calls: objects, or strings of JSON. */
  readonly calls: readonly Tree[];
  /** Texts of the assistant; the parts of one message are joined. */
  readonly texts: readonly string[];
}

const NOTHING: Cargo = { calls: [], texts: [] };

/** Members that lead to a message, its parts or a call. */
const LEADS = namesOf(
  "candidates choices content delta function functioncall kwargs message messages output parts result toolcall toolcalls tooluse",
);

/** Members that hold the arguments of a call. */
const ARGUMENTS = namesOf("args arguments input parameters structuredcontent toolinput");

/** Members that hold a text. */
const TEXTS = namesOf("content generatedtext outputtext response text");

/** Members that carry no answer: ids, counts, reasons, models. */
const LABELS = namesOf(
  `annotations avglogprobs cachecontrol callid citations contenttype created createdat done donereason evalcount evalduration
  event finishreason id incompletedetails index iserror isfinal jsonrpc lc loadduration logprobs metadata metrics model
  modelversion name object outputindex parallelworkers phase promptevalcount promptevalduration promptfeedback reasoning
  reasoningcontent refusal requestid responseid responsemetadata role safetyratings servicetier status stopreason
  stopsequence systemfingerprint thinking thoughtsignature timestamp toolcallid toolname tooluseid totalduration type
  usage usagemetadata version`,
);

/** Types of parts that are not the answer. */
const ASIDES = namesOf("reasoning redactedthinking thinking thought toolresult");

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
  const found = items.map((item) => (item.kind === "object" ? cargoOf(item, at) : undefined));
  if (found.includes(undefined)) return undefined;
  const parts = found.filter((one) => one !== undefined);
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
  for (const { key, value } of tree.entries) {
    const name = folded(key);
    const isEmpty = value.kind === "literal" && value.value !== true;
    if (isCall && ARGUMENTS.has(name)) {
      calls.push(value);
      isShell = true;
    } else if (LEADS.has(name) && (value.kind === "object" || value.kind === "array")) {
      const cargo = cargoOf(value, below);
      if (cargo === undefined) return undefined;
      calls.push(...cargo.calls);
      texts.push(...cargo.texts);
      isShell = true;
    } else if (TEXTS.has(name) && value.kind === "string") {
      if (!at.isLed && !isMarked(tree)) return undefined;
      texts.push(value.text);
      isShell = true;
    } else if (!LABELS.has(name) && !isEmpty) return undefined;
    else if (name === "iserror" && !isEmpty) return undefined;
  }
  return isShell ? { calls, texts: calls.length > 0 ? [] : texts } : undefined;
}

/** A message of somebody else, or a part that is no answer. */
function isOfOthers(tree: Tree): boolean {
  const role = textOf(tree, "role");
  if (role !== undefined && ["user", "system", "developer"].includes(role)) return true;
  const type = textOf(tree, "type");
  return type !== undefined && ASIDES.has(folded(type));
}

/** `name` beside its arguments, or a part whose type says that it is a call. */
function isCallLike(tree: Tree & { kind: "object" }): boolean {
  const names = new Set(tree.entries.map(({ key }) => folded(key)));
  if (![...ARGUMENTS].some((name) => names.has(name))) return false;
  const isNamed = ["name", "toolname", "tooluseid", "toolcallid"].some((name) => names.has(name));
  const type = textOf(tree, "type") ?? "";
  return isNamed || /call|tool|function/.test(type) || names.has("structuredcontent");
}

/** An object that says by a member of its own that it is a provider's: a role, or a type of part. */
function isMarked(tree: Tree): boolean {
  const type = textOf(tree, "type") ?? "";
  return textOf(tree, "role") !== undefined || /^(?:text|output_text|message|ai|assistant)$/i.test(type);
}

function textOf(tree: Tree, name: string): string | undefined {
  if (tree.kind !== "object") return undefined;
  const found = tree.entries.find(({ key }) => folded(key) === name)?.value;
  return found?.kind === "string" ? found.text : undefined;
}

function namesOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
