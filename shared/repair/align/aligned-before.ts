import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { spend } from "../read/reader.ts";
import type { Work } from "../read/reader.ts";
import type { Tree } from "../read/tree.ts";
import type { Alignment, Fit } from "./fit.ts";

interface Entry {
  readonly fit: Fit;
  readonly alignment: Alignment;
  /** The depth at which the result holds, when the depth limit was reached; undefined for any depth. */
  readonly depth: number | undefined;
}

/**
 * Cache of one call: results of fitting containers to schemas. Alternatives and wrappers fit the same part again at
 * every level; without the cache the work would double with each level.
 */
export type AlignedBefore = Map<Tree, Map<JsonSchema, Entry[]>>;

/** Cost of a cache access, in steps. */
const ASKED_WORK = 60;

/** Returns the cached result, with its paths moved to `fit`; undefined for a miss. */
export function recall(
  before: AlignedBefore,
  fit: Fit,
  { depth, work }: { depth: number; work: Work },
): Alignment | undefined {
  spend(work, ASKED_WORK);
  const entry = before
    .get(fit.tree)
    ?.get(fit.schema)
    ?.find((one) => isSameQuestion(one, fit, depth));
  return entry === undefined ? undefined : moved(entry, fit.path, work);
}

export function remember(before: AlignedBefore, entry: Entry): void {
  const { tree, schema } = entry.fit;
  const bySchema = kept(before, tree, () => new Map<JsonSchema, Entry[]>());
  kept(bySchema, schema, () => []).push(entry);
}

function isSameQuestion({ fit, depth }: Entry, asked: Fit, askedDepth: number): boolean {
  return (
    fit.name === asked.name &&
    (fit.isAlternative === true) === (asked.isAlternative === true) &&
    (depth === undefined || depth === askedDepth)
  );
}

/** Moves a result to another path. */
function moved({ fit, alignment }: Entry, path: string, work: Work): Alignment {
  if (fit.path === path) return alignment;
  const from = fit.path.length;
  if (!alignment.ok) return { ...alignment, path: path + alignment.path.slice(from) };
  spend(work, alignment.notes.length + alignment.unused.length);
  return {
    ...alignment,
    notes: alignment.notes.map((note) => ({ ...note, path: path + note.path.slice(from) })),
    unused: alignment.unused.map((pointer) => path + pointer.slice(from)),
  };
}
