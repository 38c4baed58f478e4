import type { JsonSchema } from "#shared/json";
import { leavesOf, nameOf } from "#shared/schema";
import type { Leaf } from "#shared/schema";
import { folded } from "../align/match-words.ts";
import type { Repaired } from "../first-aid-result.ts";
import { findLabels } from "./find-labels.ts";
import type { Label, TextSpan } from "./find-labels.ts";
import { findUnused } from "./find-unused.ts";
import type { Unused } from "./find-unused.ts";
import { locatorOf } from "./locator.ts";
import { groupBy } from "../group-by.ts";

/** Where one scalar of a repaired value stands in the text, and by which rules it was read. */
export interface ValueEvidence {
  /** JSON pointer into the value. */
  readonly path: string;
  /** Empty where the value comes from the contract, or the text is too long to be searched. */
  readonly spans: readonly TextSpan[];
  /** Steps noted at this value or around it; `as_written` for none. */
  readonly rules: readonly string[];
}

export interface Evidence {
  /** One entry for each scalar, in document order. */
  readonly values: readonly ValueEvidence[];
  /** Data of the text that is in no value, each with the reason. */
  readonly unused: readonly Unused[];
}

/** Longer texts are not searched. */
const CHARS_MAX = 200_000;
/** Values with more scalars are not searched. */
const LEAVES_MAX = 2_000;

/**
 * Finds where each scalar of a repair stands in the text it was read from, and what in the text was not used. Searches
 * the text itself, apart from the reader, so that a wrong reading cannot vouch for itself.
 */
export function evidenceOf(
  text: string,
  repaired: Pick<Repaired, "value" | "notes">,
  schema?: JsonSchema,
): Evidence {
  const leaves = leavesOf(repaired.value);
  const rulesOf = rulesBy(repaired);
  const isSearched = text.length <= CHARS_MAX && leaves.length <= LEAVES_MAX;
  const labels = isSearched ? findLabels(text) : [];
  const locate = isSearched ? locating(text, labels) : (): TextSpan[] => [];
  const values = leaves.map((leaf) => {
    const rules = rulesOf(leaf.path);
    const isOfContract = rules.some((rule) => FROM_CONTRACT.has(rule));
    return { path: leaf.path, spans: isOfContract ? [] : locate(leaf, rules !== AS_WRITTEN), rules };
  });
  if (!isSearched) return { values, unused: [] };
  const spans = values.flatMap((value) => value.spans);
  const names = new Set(leaves.flatMap(({ steps }) => steps).map((step) => folded(step)));
  return { values, unused: findUnused(text, { labels, spans, schema, names }) };
}

/** Steps that take a value from the contract. */
const FROM_CONTRACT: ReadonlySet<string> = new Set(["default_filled", "discriminator_filled"]);

/** The steps at a path or around it, nearest first; those of the whole text are in the result's notes. */
function rulesBy({ notes }: Pick<Repaired, "notes">): (path: string) => readonly string[] {
  const byPath = groupBy(notes, (note) => note.path);
  return (path) => {
    const rules: string[] = [];
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/")))
      for (const note of byPath.get(at) ?? []) rules.push(note.step);
    return rules.length === 0 ? AS_WRITTEN : rules;
  };
}

const AS_WRITTEN: readonly string[] = ["as_written"];

/** Locates leaves in document order: behind the next label with the leaf's name, else behind the value before it. */
function locating(text: string, labels: readonly Label[]): (leaf: Leaf, isChanged: boolean) => TextSpan[] {
  const locate = locatorOf(text);
  const byName = groupBy(labels, (label) => folded(label.name));
  const used = new Map<string, number>();
  let cursor = 0;
  return (leaf, isChanged) => {
    if (leaf.value !== null && typeof leaf.value === "object") return [];
    const name = folded(nameOf(leaf.steps));
    const at = used.get(name) ?? 0;
    const label = byName.get(name)?.[at];
    const labelled = label === undefined || isBlank(text, label.value) ? undefined : label.value;
    const found = locate(leaf.value, cursor);
    // A changed value need not stand anywhere; what follows its name is what it was read from.
    const next = isChanged ? (labelled ?? found) : (found ?? labelled);
    const own = label && locate(leaf.value, label.value.start);
    const span = label && own && own.end <= label.value.end ? own : next;
    if (label !== undefined) used.set(name, at + 1);
    if (span === undefined) return [];
    cursor = span.end;
    return [span];
  };
}

function isBlank(text: string, { start, end }: TextSpan): boolean {
  return text.slice(start, end).trim() === "";
}
