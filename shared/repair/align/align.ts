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
    readParts: (text) => readParts(text, bounds),
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

/**
 * Reads the objects among the words of a text, as those of the whole answer are read. Words with a number, a quotation
 * or a bracket may be data, so an object beside them is none; nor is one that is called an example.
 */
function readParts(text: string, bounds: Bounds): readonly { readonly tree: Tree; readonly cost: number }[] {
  if (!text.includes("{")) return [];
  spend(bounds.work, NESTED_WORK);
  const parts = collectReadings(text, bounds).readings.filter(
    ({ kind, tree }) => kind === "part" && tree.kind === "object",
  );
  const around = parts
    .toSorted((one, other) => (other.start ?? 0) - (one.start ?? 0))
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  const isDoubtful = /[\d"`{}[\]]/.test(around.replaceAll(/```(?:\w*\n)?/g, "")) || EXAMPLE.test(around);
  return isDoubtful ? [] : parts;
}

const EXAMPLE =
  /\b(?:example|e\.g|for instance|template|format|schema|draft|incorrect|wrong|previous|old|before)\b/i;
