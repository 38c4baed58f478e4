import { ANYTHING, below, itemSchema, membersOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Note } from "../first-aid-result.ts";
import { plainScalar } from "../read/outline/plain-scalar.ts";
import type { Tree } from "../read/tree.ts";
import { meansNoValue } from "./align-scalar.ts";
import { addAll, unfit, withStep } from "./aligner.ts";
import type { Aligner } from "./aligner.ts";
import { findPayload } from "./find-payload.ts";
import type { Alignment, Fit } from "./fit.ts";
import { isNameOf } from "./match-names.ts";
import { folded, wordsOf } from "./match-words.ts";
import { indexedAsList } from "./pairs.ts";

/**
 * Fits a value to an array schema. One item that does not fit refuses the whole list: dropping it would lose data.
 */
export function alignArray(aligner: Aligner, fit: Fit): Alignment {
  const { tree } = fit;
  if (tree.kind === "array") return alignItems(aligner, fit);
  if (tree.kind === "literal" && tree.value === null)
    return unfit(fit, "missing", "null where a list is required");
  const inner = innerList(aligner, fit);
  const unwrapped =
    inner === undefined
      ? undefined
      : withStep(aligner.alignNode({ ...fit, tree: inner }), fit, { step: "list_unwrapped", cost: 4 });
  if (unwrapped?.ok === true) return unwrapped;
  if (tree.kind === "string") return alignTextAsList(aligner, fit, tree.text);
  const whole = wrapped(aligner, fit, 3);
  const only = whole.ok ? undefined : onlyItem(fit);
  if (only === undefined) return whole;
  return withStep(wrapped(aligner, { ...fit, tree: only }, 3), fit, { step: "list_unwrapped", cost: 4 });
}

/** The item of a list that XML or a form wrote as an object: `{"item": …}`, or `{"tag": …}` in `tags`. */
function onlyItem({ tree, name }: Fit): Tree | undefined {
  if (tree.kind !== "object" || tree.entries.length !== 1) return undefined;
  const [only] = tree.entries;
  return only !== undefined && (ITEMS.has(folded(only.key)) || isNameOf(only.key, name))
    ? only.value
    : undefined;
}

const ITEMS: ReadonlySet<string> = new Set(["element", "entry", "item", "li", "member", "row"]);

function alignItems(aligner: Aligner, fit: Fit): Alignment {
  const items = fit.tree.kind === "array" ? fit.tree.items : [];
  const values: JsonValue[] = [];
  const notes: Note[] = [];
  const unused: string[] = [];
  for (const [index, tree] of items.entries()) {
    const aligned = aligner.alignNode({
      tree,
      schema: itemSchema(fit.schema, index) ?? ANYTHING,
      path: below(fit.path, index),
      name: fit.name,
      ...(fit.beside !== undefined && { beside: fit.beside }),
    });
    if (!aligned.ok) return onceTooDeep(aligner, fit, items) ?? aligned;
    values.push(aligned.value);
    addAll(notes, aligned.notes);
    addAll(unused, aligned.unused);
  }
  return { ok: true, value: values, notes, unused };
}

/** Unwraps `[[1, 2, 3]]`: the only item is the list. */
function onceTooDeep(aligner: Aligner, fit: Fit, items: readonly Tree[]): Alignment | undefined {
  const [only] = items;
  if (items.length !== 1 || only?.kind !== "array") return undefined;
  const taken = aligner.alignNode({ ...fit, tree: only });
  return taken.ok ? withStep(taken, fit, { step: "taken_out_of_list", cost: 3 }) : undefined;
}

/** Finds the list in an envelope object: `{"items": [...]}`, `{"total": 2, "lines": [...]}`, `{"0": …}`. */
function innerList(aligner: Aligner, { tree }: Fit): Fit["tree"] | undefined {
  if (tree.kind !== "object") return undefined;
  const isList = (one: Fit["tree"]): boolean => one.kind === "array";
  return (
    indexedAsList(tree) ?? findPayload(tree, { readNested: aligner.readNested, fits: isList, properties: {} })
  );
}

/** Reads a string as a list in JSON, or as the only item. A string with commas is ambiguous. */
function alignTextAsList(aligner: Aligner, fit: Fit, text: string): Alignment {
  const nested = /^\s*(?:\[|["'`])/.test(text) ? aligner.readNested(text) : undefined;
  if (nested?.tree.kind === "array") {
    const aligned = aligner.alignNode({ ...fit, tree: nested.tree });
    return withStep(aligned, fit, { step: "nested_json", cost: 3 + nested.cost });
  }
  const items = membersOf(itemSchema(fit.schema, 0) ?? ANYTHING);
  if (meansNoValue(text) && items === undefined)
    return unfit(fit, "missing", "a text that says nothing where a list is required");
  const listed = bulletsOf(text);
  if (listed !== undefined)
    return itemsOfText(aligner, fit, { texts: listed, step: "text_to_list", cost: 3 });
  if (!/[,;\n|]/.test(text)) return wrapped(aligner, fit, 3);
  const inner = /^\s*[[({]([^[\](){}]*)[\])}]\s*$/.exec(text)?.[1] ?? text;
  const parts = hasOneWordItems(fit) || isListOfWords(fit, inner) ? wordsIn(inner) : [];
  const several =
    parts.length > 1 ? itemsOfText(aligner, fit, { texts: parts, step: "text_to_list", cost: 3 }) : undefined;
  return several?.ok === true ? several : unfit(fit, "ambiguous", "one item or several");
}

function wordsIn(text: string): string[] {
  return text
    .split(/[,;\n|]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Items of a text whose lines all begin with a bullet, or all with their number. */
function bulletsOf(text: string): string[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return undefined;
  const bullets = lines.map((line) => /^\s*[-*•]\s+(\S.*)$/.exec(line)?.[1]);
  const numbers = lines.map((line, at) => {
    const [, number, item] = /^\s*(\d{1,9})[.)]\s+(\S.*)$/.exec(line) ?? [];
    return number === String(at + 1) ? item : undefined;
  });
  const whole = [bullets, numbers].find((items) => items.every((item) => item !== undefined));
  return whole?.map((item) => (item ?? "").trim());
}

/** Returns true when no item can contain a comma: numbers, booleans, enum members. */
function hasOneWordItems({ schema }: Fit): boolean {
  const items = itemSchema(schema, 0) ?? ANYTHING;
  const members = membersOf(items);
  if (members !== undefined) return members.every((one) => typeof one !== "string" || !/[,;|\n]/.test(one));
  return ["number", "integer", "boolean"].includes(String(items["type"]));
}

/** Words of an item in a line such as `Tags: red, dark blue`, at most. */
const ITEM_WORDS_MAX = 3;

/**
 * Returns true for a line of short items with commas, which lists texts where the contract wants a list; but not for
 * `Smith, John` among names.
 */
function isListOfWords({ tree, name }: Fit, text: string): boolean {
  if (tree.kind !== "string" || !tree.bare || !/^[^\n"'[\](){}<>]{1,300}$/.test(text)) return false;
  const parts = text.split(/[,;|]/).map((part) => part.trim());
  const isShort = parts.every((part) => part !== "" && wordsOf(part).length <= ITEM_WORDS_MAX);
  const isInverted = parts.length === 2 && wordsOf(name).some((word) => PEOPLE.test(word));
  return isShort && !isInverted;
}

const PEOPLE =
  /^(?:names?|authors?|persons?|people|members?|attendees?|participants?|speakers?|editors?|by)$/;

function itemsOfText(
  aligner: Aligner,
  fit: Fit,
  { texts, step, cost }: { texts: readonly string[]; step: string; cost: number },
): Alignment {
  const tree = { kind: "array", items: texts.map((text) => plainScalar(text)) } as const;
  return withStep(alignItems(aligner, { ...fit, tree }), fit, { step, cost });
}

function wrapped(aligner: Aligner, fit: Fit, cost: number): Alignment {
  if (fit.schema["prefixItems"] !== undefined) return unfit(fit, "mismatch", "not a list");
  const tree = { kind: "array", items: [fit.tree] } as const;
  return withStep(alignItems(aligner, { ...fit, tree }), fit, { step: "wrapped_in_list", cost });
}
