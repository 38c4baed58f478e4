import type { JsonSchema } from "#shared/json";
import { ANSWERS } from "../read/shells/dialects.ts";
import type { Entry, Tree } from "../read/tree.ts";
import { isErrorName } from "./match-names.ts";
import { folded } from "./match-words.ts";

/** Names under which models, programs and model APIs return an answer. */
const HOLDERS: ReadonlySet<string> = new Set([
  ..."actioninput answer body data items params payload properties results string t val value".split(" "),
  ...ANSWERS.leads,
  ...ANSWERS.arguments,
  ...ANSWERS.texts,
]);

/** Returns true for the name of a member that contains an answer. */
export function isHolderName(key: string): boolean {
  return HOLDERS.has(folded(key));
}

/** Envelope members without content of their own. */
const LABELS: ReadonlySet<string> = new Set([
  ..."action count kind page size tool total".split(" "),
  ...ANSWERS.labels,
]);

/** Names under which a model explains its answer in words, or rates it with a number. */
const REMARKS =
  /^(?:analysis|certainty|chainofthought|comments?|confidence|explanation|justification|notes?|rationale|reasoning|remarks?|scratchpad|thinking|thoughts?)$/;

/** Names of members whose content is not the answer, however well it fits. */
const NO_ANSWERS =
  /^(?:before|drafts?|examples?|invalid|old|original|previous|rejected|sample|schema|template|wrong)$/;

export function isNoAnswer(name: string): boolean {
  return NO_ANSWERS.test(folded(name)) || isErrorName(name);
}

/** Maximum nesting of envelopes: a message contains calls, a call a function, a function its arguments. */
const DEPTH_MAX = 5;

export interface PayloadQuestion {
  /** Reads JSON inside a string; undefined for other text. */
  readonly readNested: (text: string) => { readonly tree: Tree } | undefined;
  /** Returns true when a tree has the contract's shape. */
  readonly fits: (tree: Tree) => boolean;
  readonly properties: JsonSchema;
}

/** Finds the one answer in envelopes, as `{"name": "save", "arguments": {…}}`. @returns undefined: failed, or two. */
export function findPayload(tree: Tree, question: PayloadQuestion): Tree | undefined {
  return inside(tree, { question, depth: 0 });
}

function inside(
  tree: Tree,
  { question, depth }: { question: PayloadQuestion; depth: number },
): Tree | undefined {
  const entry = tree.kind === "object" ? payloadEntry(tree.entries, question) : undefined;
  if (entry === undefined || depth >= DEPTH_MAX) return undefined;
  const value = opened(entry.value, question);
  if (value === undefined) return undefined;
  return question.fits(value) ? value : inside(value, { question, depth: depth + 1 });
}

/** Unwraps JSON text and single-item lists. */
function opened(tree: Tree, question: PayloadQuestion): Tree | undefined {
  if (tree.kind === "string") return tree.bare ? undefined : question.readNested(tree.text)?.tree;
  if (tree.kind !== "array" || question.fits(tree)) return tree;
  return tree.items.length === 1 ? tree.items[0] : undefined;
}

/** Returns the member that contains the answer: the only one, or the only holder among labels. */
function payloadEntry(entries: readonly Entry[], question: PayloadQuestion): Entry | undefined {
  if (entries.some(({ key }) => key === "__proto__")) return undefined;
  const declared = new Set(Object.keys(question.properties).map(folded));
  if (entries.some((entry) => isErrorName(entry.key) && !isNothing(entry.value))) return undefined;
  if (entries.some((entry) => NO_ANSWERS.test(folded(entry.key)))) return undefined;
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return declared.has(folded(only.key)) ? undefined : only;
  const [holder, ...rivals] = entries.filter((entry) => isHolder(entry, question));
  if (holder === undefined || rivals.length > 0) return undefined;
  const beside = entries.filter((entry) => entry !== holder);
  // A label that the contract declares and the answer lacks is the contract's own.
  const own = holder.value.kind === "string" ? declared : new Set(namesIn(holder.value));
  const isLost = ({ key }: Entry): boolean => declared.has(folded(key)) && !own.has(folded(key));
  return beside.every((one) => isHarmless(one) && !isLost(one)) ? holder : undefined;
}

/** The names in a tree, at any depth. */
export function namesIn(tree: Tree): string[] {
  if (tree.kind === "array") return tree.items.flatMap(namesIn);
  return tree.kind === "object"
    ? tree.entries.flatMap(({ key, value }) => [folded(key), ...namesIn(value)])
    : [];
}

function isHolder({ key, value }: Entry, question: PayloadQuestion): boolean {
  if (value.kind === "object" || value.kind === "array") return isHolderName(key) || question.fits(value);
  return value.kind === "string" && isHolderName(key) && /^\s*[[{]/.test(value.text);
}

function isNothing(value: Tree): boolean {
  return (
    (value.kind === "literal" && value.value !== true) ||
    (value.kind === "string" && value.text.trim() === "") ||
    (value.kind === "array" && value.items.length === 0)
  );
}

/** Returns true for a member that says nothing of its own: a label of an envelope, a remark, a success. */
export function isHarmless({ key, value }: Entry): boolean {
  if (isNothing(value) && !(value.kind === "literal" && value.value === false)) return true;
  const name = folded(key);
  const text = value.kind === "string" ? value.text.toLowerCase() : value.kind === "number" ? value.raw : "";
  // Of a failure nothing is unwrapped.
  if (/^(?:status(?:code)?|state|code|message|msg)$/.test(name))
    return /^(?:ok|success|succeeded|completed?|done|0|20[01])$/.test(text);
  if (LABELS.has(name)) return true;
  if (REMARKS.test(name) && (value.kind === "string" || value.kind === "number")) return true;
  return (name === "ok" || name === "success") && value.kind === "literal" && value.value === true;
}
