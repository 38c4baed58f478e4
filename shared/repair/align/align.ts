import type { JsonSchema } from "#shared/json";
import type { Bounds } from "../bounds.ts";
import { collectReadings } from "../read/collect-readings.ts";
import { spend } from "../read/reader.ts";
import type { Tree } from "../read/tree.ts";
import { alignNode } from "./align-node.ts";
import type { Aligner } from "./aligner.ts";
import type { Alignment } from "./fit.ts";

/**
 * Fits a tree to a schema, which may be a part of the document `root`.
 * @throws {ReadRefusal} The work limit is reached.
 */
export function alignTree(
  tree: Tree,
  schema: JsonSchema,
  bounds: Bounds & { readonly root?: JsonSchema; readonly name?: string },
): Alignment {
  // Alternatives read the same nested text again, and need the same tree.
  const nested = new Map<string, ReturnType<typeof readNested>>();
  const aligner: Aligner = {
    root: bounds.root ?? schema,
    work: bounds.work,
    readNested: (text) => {
      if (!nested.has(text)) nested.set(text, readNested(text, bounds));
      return nested.get(text);
    },
    verdicts: new Map(),
    before: new Map(),
    open: [],
    stoppedAt: Number.POSITIVE_INFINITY,
    alignNode: (fit) => alignNode(aligner, fit),
  };
  return alignNode(aligner, { tree, schema, path: "", name: bounds.name ?? "" });
}

/** Cost of reading one nested text, in steps. */
const NESTED_WORK = 1000;

/** Reads nested JSON only when the whole text is one container. */
function readNested(
  text: string,
  bounds: Bounds,
): { readonly tree: Tree; readonly cost: number } | undefined {
  if (!/^\s*(?:[[{"]|```)/.test(text)) return undefined;
  spend(bounds.work, NESTED_WORK);
  const readings = collectReadings(text, bounds).readings.filter(
    ({ kind }) => kind !== "text" && kind !== "cargo",
  );
  const [only] = readings;
  const isPart = only?.kind === "part" && !only.notes.some((note) => note.step === "fence_removed");
  return readings.length === 1 && only !== undefined && !isPart ? only : undefined;
}
