import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "#shared/schema";
import { boundsOf } from "../bounds.ts";
import type { Bounds } from "../bounds.ts";
import { refused } from "../choose.ts";
import type { FirstAidOptions, FirstAidResult } from "../first-aid-result.ts";
import { collectReadings } from "../read/collect-readings.ts";
import { ReadRefusal, spend } from "../read/reader.ts";
import { fromValue } from "../read/tree-value.ts";
import type { Tree } from "../read/tree.ts";
import { alignNode } from "./align-node.ts";
import { costOf } from "./aligner.ts";
import type { Aligner } from "./aligner.ts";
import type { Alignment } from "./fit.ts";

/**
 * The second stage of first aid: fits a value, whose syntax is in order, to a schema. A value that satisfies
 * it comes back as it is at cost 0. Nothing is invented, dropped, rounded or clamped; what would need that is
 * refused. Never throws.
 */
export function align(value: JsonValue, schema: JsonSchema, options: FirstAidOptions = {}): FirstAidResult {
  const bounds = boundsOf(options, schema);
  try {
    const aligned = alignTree(fromValue(value, bounds.depthMax), schema, bounds);
    if (!aligned.ok)
      return {
        ...refused(aligned.code, { at: aligned.path }),
        ...(aligned.candidates && { candidates: aligned.candidates }),
      };
    const cost = costOf(aligned.notes);
    if (cost > bounds.costMax) return refused("too_costly", { notes: aligned.notes });
    return { ok: true, value: aligned.value, cost, notes: aligned.notes, unused: aligned.unused };
  } catch (error) {
    if (error instanceof ReadRefusal) return refused(error.code);
    throw error;
  }
}

/**
 * Fits a tree to a schema, which may be a part of the document `root`. Throws {ReadRefusal} where the work
 * of the call is spent.
 */
export function alignTree(
  tree: Tree,
  schema: JsonSchema,
  bounds: Bounds & { readonly root?: JsonSchema; readonly name?: string },
): Alignment {
  // Every alternative asks again what a text holds, and is to be given the same tree.
  const nested = new Map<string, ReturnType<typeof readNested>>();
  const aligner: Aligner = {
    root: bounds.root ?? schema,
    work: bounds.work,
    readNested: (text) => {
      if (!nested.has(text)) nested.set(text, readNested(text, bounds));
      return nested.get(text);
    },
    marginMin: bounds.marginMin,
    costMax: bounds.costMax,
    verdicts: new Map(),
    before: new Map(),
    open: [],
    stoppedAt: Number.POSITIVE_INFINITY,
    alignNode: (fit) => alignNode(aligner, fit),
  };
  return alignNode(aligner, { tree, schema, path: "", name: bounds.name ?? "" });
}

/** What reading one nested text takes by itself, in steps. */
const NESTED_WORK = 1000;

/**
 * Only text that is wholly one JSON container counts as nested JSON; a sentence with braces in it is a
 * sentence.
 */
function readNested(
  text: string,
  bounds: Bounds,
): { readonly tree: Tree; readonly cost: number } | undefined {
  if (!/^\s*(?:[[{"]|```)/.test(text)) return undefined;
  spend(bounds.work, NESTED_WORK);
  const readings = collectReadings(text, bounds).readings.filter((reading) => reading.kind !== "text");
  const [only] = readings;
  const isPart = only?.kind === "part" && !only.notes.some((note) => note.step === "fence_removed");
  return readings.length === 1 && only !== undefined && !isPart ? only : undefined;
}
