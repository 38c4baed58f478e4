import type { JsonSchema } from "#shared/json";
import { asksForContainer, isDeclared, isObject } from "#shared/schema";
import { alignTree } from "./align/align.ts";
import type { Fitted } from "./align/aligner.ts";
import { namesIn } from "./align/find-payload.ts";
import { isSentence, wordsOf } from "./align/match-words.ts";
import type { Treated } from "./choose.ts";
import type { Bounds } from "./bounds.ts";
import { coresOf } from "./read/frames.ts";
import { readOutlines } from "./read/outline/read-outlines.ts";
import { plainText } from "./read/text-forms.ts";
import { onlyEntry } from "./read/tree.ts";
import type { Tree } from "./read/tree.ts";
import { statesLackingProperty } from "./refuse-readings.ts";

/** Returns the first outline (YAML, list, table) that fits where there is no JSON; all names must be the contract's. */
export function findOutline(
  input: string,
  { schema, bounds, treated }: { schema: JsonSchema; bounds: Bounds; treated: readonly Treated[] },
): Treated | undefined {
  const isTaken = treated.some(({ alignment }) => !alignment.ok && alignment.code === "ambiguous");
  if (!asksForContainer(schema) || input.includes("__proto__")) return undefined;
  for (const core of coresOf(plainText(input)))
    for (const { tree, cost, step } of readOutlines(core, bounds)) {
      // A table is the whole text: what looks like values in it are its cells.
      if (isTaken && step !== "table" && step !== "separated_values") continue;
      const alignment = alignTree(tree, schema, bounds);
      if (!alignment.ok || hasManyUnknownNames(alignment) || !isDeclared(alignment.value, schema)) continue;
      if (isSentenceTree(tree) || isSentenceValue(tree)) continue;
      if (statesLackingProperty(input, { value: alignment.value, schema, names: namesIn(tree) })) continue;
      const notes = [{ path: "", step, cost }];
      return { reading: { tree, cost, notes, kind: "part" }, alignment };
    }
  return undefined;
}

/** Names that the contract does not know are prose, but for one or two among many that it knows. */
function hasManyUnknownNames({ value, unused }: Fitted): boolean {
  const known = isObject(value) ? Object.keys(value).length : 0;
  return unused.length > 0 && (unused.length > 2 || known < 2 * unused.length + 2);
}

/** `I cannot do it because:` above a list is a sentence, not a name. */
function isSentenceTree(tree: Tree): boolean {
  return wordsOf(onlyEntry(tree)?.key ?? "").length > 3;
}

/** `- Sorry, I cannot.` and `Answer: Sorry, I cannot.` give no item and no member. */
function isSentenceValue(tree: Tree): boolean {
  if (tree.kind === "string") return isSentence(tree.text);
  if (tree.kind === "array") return tree.items.length > 0 && tree.items.every(isSentenceValue);
  const only = onlyEntry(tree);
  return only !== undefined && isSentenceValue(only.value);
}
