import { WORK } from "../bounds.ts";
import type { Work } from "../bounds.ts";
import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { cachedBy, canonical, genericPlace, validateWithin } from "#shared/schema";
import type { JsonValue, Verdicts } from "#shared/schema";
import type { Note, RefusalCode, Refused, Repaired } from "../first-aid-result.ts";
import { spend } from "../read/reader.ts";
import type { Entry, Tree } from "../read/tree.ts";

/** One value with the schema it must fit. */
export interface Fit {
  readonly tree: Tree;
  readonly schema: JsonSchema;
  readonly path: string;
  /** True for one of several alternatives, whose constants discriminate. */
  readonly isAlternative?: boolean;
  /** Members of the parent and grandparent objects, which may name the currency. */
  readonly beside?: Beside;
  /** The value's member name, which may name a unit; "" for items and the root. */
  readonly name: string;
}

/** Members of an object and of its parent. */
export interface Beside {
  readonly entries: readonly Entry[];
  readonly around: Beside | undefined;
}

export type Fitted = Omit<Repaired, "cost">;

export type Unfit = Omit<Refused, "reason" | "notes">;

export type Alignment = Fitted | Unfit;

/** State shared by the whole alignment. */
export interface Aligner {
  readonly root: JsonSchema;
  readonly work: Work;
  /** Reads JSON inside a string; returns its cheapest reading, or undefined. */
  readonly readNested: (text: string) => { readonly tree: Tree; readonly cost: number } | undefined;
  /** Cache of validation results. */
  readonly verdicts: Verdicts;
  /** Fits any value. A field, because containers and values would otherwise import each other. */
  readonly alignNode: (fit: Fit) => Alignment;
  /** Cache of fitted containers. */
  readonly before: AlignedBefore;
  /** Fits in progress, outermost first. */
  readonly open: Fit[];
  /** Index of the outermost open fit that stopped a recursion; infinite for none. */
  stoppedAt: number;
}

/** @param step - What had to be done. Default: nothing. */
export function fitted({ path }: Fit, value: JsonValue, step = "", cost = 0): Fitted {
  return { ok: true, value, notes: step === "" ? NONE : [{ path, step, cost }], unused: NONE };
}

const NONE: readonly never[] = [];

export function unfit(fit: Fit, code: RefusalCode): Unfit {
  return { ok: false, code, path: fit.path };
}

/** Adds a step to an inner alignment; an unfit one stays unfit. */
export function withStep(inner: Alignment, { path }: Fit, step: string, cost: number): Alignment {
  return inner.ok ? { ...inner, notes: [{ path, step, cost }, ...inner.notes] } : inner;
}

/** Appends many items. `push(...items)` overflows the stack with a hundred thousand. */
export function addAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** Sums the costs of a finished list, once; a step repeated over the items of one list counts once. */
export const costOf = cachedBy((notes: readonly Note[]): number => {
  const dearest = new Map<string, number>();
  for (const note of notes) {
    const key = `${note.step} ${genericPlace(note.path, null)}`;
    dearest.set(key, Math.max(note.cost, dearest.get(key) ?? 0));
  }
  return [...dearest.values()].reduce((sum, one) => sum + one, 0);
});

/** Validates a value against a schema of this document, within the shared work limit. */
export function satisfies(aligner: Aligner, value: JsonValue, schema: JsonSchema): boolean {
  const { faults, checks } = validateWithin(value, schema, {
    document: aligner.root,
    issuesMax: 1,
    checksMax: Math.ceil(Math.max(0, aligner.work.left) / WORK.check),
    verdicts: aligner.verdicts,
  });
  spend(aligner.work, checks * WORK.check);
  return faults.length === 0;
}

/** Deep equality, members in any order. Identical objects are not compared. */
export function isSameValue(one: JsonValue, other: JsonValue, work: Work): boolean {
  if (one === other) return true;
  const [text, rival] = [canonical(one), canonical(other)];
  spend(work, text.length + rival.length);
  return text === rival;
}

interface Before {
  readonly fit: Fit;
  readonly alignment: Alignment;
  /** The depth at which the result holds, when the depth limit was reached; undefined for any depth. */
  readonly depth: number | undefined;
}

/** Cache of fitted containers of one call; without it the work would double with each level. */
type AlignedBefore = Map<Tree, Map<JsonSchema, Before[]>>;

/** Returns the cached result, with its paths moved to `fit`; undefined for a miss. */
export function recall(
  before: AlignedBefore,
  fit: Fit,
  { depth, work }: { depth: number; work: Work },
): Alignment | undefined {
  spend(work, WORK.recall);
  const entry = before
    .get(fit.tree)
    ?.get(fit.schema)
    ?.find((one) => isSameQuestion(one, fit, depth));
  return entry === undefined ? undefined : moved(entry, fit.path, work);
}

export function remember(before: AlignedBefore, entry: Before): void {
  const { tree, schema } = entry.fit;
  const bySchema = kept(before, tree, () => new Map<JsonSchema, Before[]>());
  kept(bySchema, schema, () => []).push(entry);
}

function isSameQuestion({ fit, depth }: Before, asked: Fit, askedDepth: number): boolean {
  return (
    fit.name === asked.name &&
    (fit.isAlternative === true) === (asked.isAlternative === true) &&
    (depth === undefined || depth === askedDepth)
  );
}

/** Moves a result to another path. */
function moved({ fit, alignment }: Before, path: string, work: Work): Alignment {
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
