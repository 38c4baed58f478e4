import { WORK } from "../bounds.ts";
import { ANYTHING, below, itemSchema, membersOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Note } from "../first-aid-result.ts";
import { spend } from "../read/reader.ts";
import { onlyEntry, plainScalar } from "../read/tree.ts";
import type { Tree } from "../read/tree.ts";
import { meansNoValue } from "./align-scalar.ts";
import { indexedAsList } from "./align-wrapper.ts";
import { addAll, unfit, withStep } from "./aligner.ts";
import type { Aligner, Alignment, Fit } from "./aligner.ts";
import { findPayload } from "./find-payload.ts";
import { isNameOf } from "./match-names.ts";
import { folded, isSentence } from "./match-words.ts";

/** Fits a value to an array schema. One item that does not fit refuses the list: dropping it would lose data. */
export function alignArray(aligner: Aligner, fit: Fit): Alignment {
  const { tree } = fit;
  if (tree.kind === "array") return alignItems(aligner, fit);
  if (tree.kind === "literal" && tree.value === null) return unfit(fit, "missing");
  const inner = innerList(aligner, fit);
  const unwrapped =
    inner === undefined
      ? undefined
      : withStep(aligner.alignNode({ ...fit, tree: inner }), fit, "list_unwrapped", 4);
  if (unwrapped?.ok === true) return unwrapped;
  if (tree.kind === "string") return alignTextAsList(aligner, fit, tree.text);
  const whole = wrapped(aligner, fit);
  const only = whole.ok ? undefined : onlyItem(fit);
  if (only === undefined) return whole;
  return withStep(wrapped(aligner, { ...fit, tree: only }), fit, "list_unwrapped", 4);
}

/** The item of a list that XML or a form wrote as an object: `{"item": …}`, or `{"tag": …}` in `tags`. */
function onlyItem({ tree, name }: Fit): Tree | undefined {
  const only = onlyEntry(tree);
  const isItem = only !== undefined && (ITEMS.test(folded(only.key)) || isNameOf(only.key, name));
  return isItem ? only.value : undefined;
}

const ITEMS = /^(?:element|entry|item|li|member|row)$/;

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
  return taken.ok ? withStep(taken, fit, "taken_out_of_list", 3) : undefined;
}

/** Finds the list in an envelope object: `{"items": [...]}`, `{"total": 2, "lines": [...]}`, `{"0": …}`. */
function innerList(aligner: Aligner, { tree }: Fit): Fit["tree"] | undefined {
  if (tree.kind !== "object") return undefined;
  const isList = (one: Fit["tree"]): boolean => one.kind === "array";
  return (
    indexedAsList(tree) ?? findPayload(tree, { readNested: aligner.readNested, fits: isList, properties: {} })
  );
}

/** Reads a string as a list in JSON, as lines of names, or as the only item. A string with commas is ambiguous. */
function alignTextAsList(aligner: Aligner, fit: Fit, text: string): Alignment {
  const nested = /^\s*(?:\[|["'`])/.test(text) ? aligner.readNested(text) : undefined;
  if (nested?.tree.kind === "array") {
    const aligned = aligner.alignNode({ ...fit, tree: nested.tree });
    return withStep(aligned, fit, "nested_json", 3 + nested.cost);
  }
  const items = membersOf(itemSchema(fit.schema, 0) ?? ANYTHING);
  if (meansNoValue(text) && items === undefined) return unfit(fit, "missing");
  if (/^\s*#[\p{L}\p{N}_-]+(?:\s+#[\p{L}\p{N}_-]+)+\s*$/u.test(text)) return unfit(fit, "ambiguous");
  spend(aligner.work, text.length);
  const lines = linesOfNames(fit, text);
  if (lines !== undefined) return itemsOfText(aligner, fit, lines);
  return /[,;\n|]/.test(text) ? unfit(fit, "ambiguous") : wrapped(aligner, fit);
}

/** One or two words, or several that all begin as names do: `Rio de Janeiro`. */
function isName(words: readonly string[]): boolean {
  const areNames = words.every((word) =>
    /^(?:[\p{Lu}\p{N}(]|(?:of|the|and|de|da|do|la|le|el|di|du|von|van|der|am|upon|an)$)/u.test(word),
  );
  return words.length <= 2 || (words.length <= LINE_WORDS_MAX && areNames);
}

const LINE_WORDS_MAX = 5;

/** Lines of a bare text that are names and no sentences: `Oslo`, `New York`. */
function linesOfNames({ tree }: Fit, text: string): string[] | undefined {
  if (tree.kind !== "string" || !tree.bare || !text.includes("\n")) return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  const areNames = lines.every(
    (line) =>
      /^(?!\(?[\p{L}\p{N}]{1,3}[.)]\s)[\p{L}\p{N}][^\n,;:|!?…"{}[\]<>=]{0,60}$/u.test(line) &&
      !line.endsWith(".") &&
      isName(line.split(/\s+/)),
  );
  return areNames ? lines : undefined;
}

function itemsOfText(aligner: Aligner, fit: Fit, texts: readonly string[]): Alignment {
  spend(aligner.work, texts.length * WORK.listItem);
  if (texts.some((one) => isSentence(one))) return unfit(fit, "mismatch");
  const tree = { kind: "array", items: texts.map((text) => plainScalar(text)) } as const;
  return withStep(alignItems(aligner, { ...fit, tree }), fit, "text_to_list", 3);
}

/** Maximum words of a whole answer that is taken for the only item of a list. */
const WHOLE_WORDS_MAX = 4;

function wrapped(aligner: Aligner, fit: Fit): Alignment {
  if (fit.schema["prefixItems"] !== undefined) return unfit(fit, "mismatch");
  const isWhole = fit.path === "";
  if (fit.tree.kind === "string" && isSentence(fit.tree.text, isWhole ? WHOLE_WORDS_MAX : undefined))
    return unfit(fit, isWhole ? "no_json" : "mismatch");
  const tree = { kind: "array", items: [fit.tree] } as const;
  return withStep(alignItems(aligner, { ...fit, tree }), fit, "wrapped_in_list", 3);
}
