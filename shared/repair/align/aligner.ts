import { canonical, collapseIndices, validateWithin } from "#shared/schema";
import type { JsonValue, Verdicts } from "#shared/schema";
import { spend } from "../read/reader.ts";
import type { Work } from "../read/reader.ts";
import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import type { Tree } from "../read/tree.ts";
import type { AlignedBefore } from "./aligned-before.ts";
import type { Alignment, Fit, Fitted, Unfit } from "./fit.ts";

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

/** Sums costs; a step repeated over the items of one list counts once. */
export function costOf(notes: readonly Note[]): number {
  return kept(costs, notes, sumOf);
}

function sumOf(notes: readonly Note[]): number {
  const dearest = new Map<string, number>();
  for (const note of notes) {
    const key = `${note.step} ${collapseIndices(note.path)}`;
    dearest.set(key, Math.max(note.cost, dearest.get(key) ?? 0));
  }
  return [...dearest.values()].reduce((sum, one) => sum + one, 0);
}

/** Cached sums of finished lists, because each comparison of alternatives needs them. */
const costs = new WeakMap<readonly Note[], number>();

/** Cost of one validation, in steps. */
const CHECK_WORK = 10;

/** Validates a value against a schema of this document, within the shared work limit. */
export function satisfies(aligner: Aligner, value: JsonValue, schema: JsonSchema): boolean {
  const { faults, checks } = validateWithin(value, schema, {
    document: aligner.root,
    issuesMax: 1,
    checksMax: Math.ceil(Math.max(0, aligner.work.left) / CHECK_WORK),
    verdicts: aligner.verdicts,
  });
  spend(aligner.work, checks * CHECK_WORK);
  return faults.length === 0;
}

/** Deep equality, members in any order. Identical objects are not compared. */
export function isSameValue(one: JsonValue, other: JsonValue, work: Work): boolean {
  if (one === other) return true;
  const [text, rival] = [canonical(one), canonical(other)];
  spend(work, text.length + rival.length);
  return text === rival;
}
