import type { JsonSchema } from "#shared/json";
import { cachedBy, flatten, fromBoolean, has, isObject, propertiesOf, requiredOf } from "#shared/schema";
import { MARGIN_MIN } from "../bounds.ts";
import type { Entry, Tree } from "../read/tree.ts";
import { alignMembers } from "./align-object.ts";
import { costOf, isSameValue, unfit, withStep } from "./aligner.ts";
import type { Aligner, Alignment, Fit, Fitted } from "./aligner.ts";
import { findPayload, isHarmless, isNoAnswer } from "./find-payload.ts";
import { indexNames } from "./match-names.ts";
import { folded } from "./match-words.ts";
import { groupBy } from "../group-by.ts";

/** Fits a value to an object schema: by its members, or after removing or adding a wrapper. */
export function alignObject(aligner: Aligner, fit: Fit): Alignment {
  const { tree } = fit;
  if (tree.kind === "string") return alignNestedObject(aligner, fit, tree);
  const pairs = tree.kind === "array" ? pairsAsObject(tree) : undefined;
  if (pairs !== undefined) {
    const assembled = withStep(alignMembers(aligner, { ...fit, tree: pairs }), fit, "pairs_to_members", 5);
    if (assembled.ok) return assembled;
  }
  if (tree.kind === "array" && tree.items.length === 1 && tree.items[0]?.kind === "object") {
    return withStep(aligner.alignNode({ ...fit, tree: tree.items[0] }), fit, "taken_out_of_list", 3);
  }
  if (tree.kind !== "object") return unfit(fit, "mismatch");
  const direct = alignMembers(aligner, fit);
  if (tree.entries.some(({ value }) => value.kind === "string" && value.text === "__proto__")) return direct;
  const isWhole = direct.ok && !losesMember(fit, direct);
  if (isWhole && direct.unused.length === 0) return direct;
  const inOtherLevel = isWhole ? alignMoved(aligner, fit) : undefined;
  if (isWhole) return inOtherLevel?.ok === true ? inOtherLevel : direct;
  const [best, ...others] = [unwrapped(aligner, fit), alignMoved(aligner, fit)]
    .filter((one): one is Fitted => one.ok && !losesMember(fit, one))
    .toSorted((a, b) => costOf(a.notes) - costOf(b.notes));
  if (best === undefined) return direct.ok ? unfit(fit, "ambiguous") : direct;
  const isRival = (one: Fitted): boolean =>
    costOf(one.notes) - costOf(best.notes) < MARGIN_MIN && !isSameValue(one.value, best.value, aligner.work);
  return others.some(isRival) ? unfit(fit, "ambiguous") : best;
}

/** Returns true when a member that this object declares and lacks was dropped at a deeper level. */
function losesMember({ schema, path }: Fit, { value, unused }: Fitted): boolean {
  if (unused.length === 0 || !isObject(value)) return false;
  const declared = indexNames(propertiesOf(schema)).byFolded;
  return unused.some((one) => {
    const at = one.lastIndexOf("/");
    const keys = at > path.length ? (declared.get(folded(one.slice(at + 1))) ?? []) : [];
    return keys.some((key) => !has(value, key));
  });
}

/** Fits an object whose members stand one level too high or too deep. */
function alignMoved(aligner: Aligner, fit: Fit): Alignment {
  const moved =
    fit.tree.kind === "object" ? moveLevels(fit.tree.entries, fit.schema, aligner.root) : undefined;
  if (moved === undefined) return unfit(fit, "mismatch");
  return withStep(alignMembers(aligner, { ...fit, tree: moved }), fit, "level_moved", 5);
}

/** Maximum levels of JSON encoded as a string. */
const STRINGS_DEEP_MAX = 4;

function alignNestedObject(aligner: Aligner, fit: Fit, tree: Tree & { kind: "string" }): Alignment {
  if (tree.bare) return unfit(fit, "mismatch");
  let nested = aligner.readNested(tree.text);
  for (let times = 1; nested?.tree.kind === "string" && times < STRINGS_DEEP_MAX; times += 1)
    nested = aligner.readNested(nested.tree.text);
  if (nested === undefined || nested.tree.kind === "string") return unfit(fit, "mismatch");
  return withStep(aligner.alignNode({ ...fit, tree: nested.tree }), fit, "nested_json", 3 + nested.cost);
}

/** Unwraps `{"result": {…}}`, an envelope that the contract does not know. */
function unwrapped(aligner: Aligner, fit: Fit): Alignment {
  const payload = findPayload(fit.tree, {
    readNested: aligner.readNested,
    fits: (tree) => tree.kind === "object" && holdsDeclared(tree, fit.schema),
    properties: propertiesOf(fit.schema),
  });
  if (payload === undefined) return unfit(fit, "mismatch");
  return withStep(alignMembers(aligner, { ...fit, tree: payload }), fit, "unwrapped", 4);
}

function holdsDeclared(tree: Tree, schema: JsonSchema): boolean {
  const required = requiredOf(schema);
  const names = new Set(tree.kind === "object" ? tree.entries.map((entry) => folded(entry.key)) : []);
  if (required.length > 0) return required.every((key) => names.has(folded(key)));
  const declared = indexNames(propertiesOf(schema)).byFolded;
  return [...names].some((name) => declared.has(name));
}

/** A declared object property. */
interface Branch {
  readonly key: string;
  readonly required: readonly string[];
}

/**
 * Moves members between two levels of a contract where each name has one place: `{"adults": 2}` into `{"passengers":
 * {…}}`, or in a closed contract `{"details": {"city": "Oslo"}}` to `{"city": "Oslo"}`.
 * @returns Undefined where nothing is to be moved.
 */
function moveLevels(entries: readonly Entry[], schema: JsonSchema, root: JsonSchema): Tree | undefined {
  const properties = propertiesOf(schema);
  const levels = levelsIn(root)(properties);
  // In an open contract a name may stand in several places.
  const isClosed = schema["additionalProperties"] === false;
  const raised = isClosed ? raise(entries, levels) : undefined;
  const lowered = lower(raised ?? entries, { properties, branchOf: levels.branchOf });
  const moved = lowered ?? raised;
  return moved === undefined ? undefined : { kind: "object", entries: moved };
}

/** Takes the members out of undeclared wrappers that hold only declared names which are missing outside. */
function raise(
  entries: readonly Entry[],
  { declared, branchOf }: ReturnType<typeof levelsOf>,
): Entry[] | undefined {
  const present = new Set(entries.map(({ key }) => folded(key)));
  const isWrapper = ({ key, value }: Entry): boolean =>
    value.kind === "object" &&
    value.entries.length > 0 &&
    !declared.has(folded(key)) &&
    !isNoAnswer(key) &&
    key !== "__proto__" &&
    value.entries
      .map((inner) => folded(inner.key))
      .every((name) => (declared.has(name) || branchOf.has(name)) && !present.has(name));
  // Beside a failure, or data that is not declared, the members may be something else's.
  const isBeside = (one: Entry): boolean => declared.has(folded(one.key)) || isHarmless(one);
  if (!entries.some(isWrapper) || !entries.every((one) => isWrapper(one) || isBeside(one))) return undefined;
  const raised = entries.flatMap((entry) =>
    isWrapper(entry) && entry.value.kind === "object" ? entry.value.entries : [entry],
  );
  const names = raised.map(({ key }) => folded(key));
  return new Set(names).size === names.length ? raised : undefined;
}

const levelsIn = cachedBy((root: JsonSchema) =>
  cachedBy((properties: JsonSchema) => levelsOf(properties, root)),
);

/** Returns the names that the levels of an object's contract declare, folded; `branchOf` those of one branch alone. */
function levelsOf(properties: JsonSchema, root: JsonSchema) {
  const declared = indexNames(properties).byFolded;
  const pairs = Object.keys(properties).flatMap((key) => {
    const inner = flatten(fromBoolean(properties[key]), root);
    const branch: Branch = { key, required: requiredOf(inner).map(folded) };
    return [...new Set(Object.keys(propertiesOf(inner)).map(folded))].map((name) => ({ name, branch }));
  });
  const unique = [...groupBy(pairs, ({ name }) => name)].flatMap(
    ([name, [only, ...others]]): [string, Branch][] =>
      only === undefined || others.length > 0 || declared.has(name) ? [] : [[name, only.branch]],
  );
  return { declared, branchOf: new Map(unique) };
}

/** Puts members that only one nested object declares into it, when that makes it whole. */
function lower(
  entries: readonly Entry[],
  { properties, branchOf }: { properties: JsonSchema; branchOf: ReadonlyMap<string, Branch> },
): Entry[] | undefined {
  const strays = entries.filter(({ key }) => !Object.hasOwn(properties, key));
  let moved = [...entries];
  let isMoved = false;
  for (const [branch, inside] of groupBy(strays, ({ key }) => branchOf.get(folded(key)))) {
    if (branch === undefined) continue;
    const holder = moved.find((entry) => folded(entry.key) === folded(branch.key));
    if (holder !== undefined && holder.value.kind !== "object") continue;
    const already = holder?.value.kind === "object" ? holder.value.entries : [];
    const names = [...already, ...inside].map((entry) => folded(entry.key));
    const isWhole = branch.required.every((name) => names.includes(name));
    if (!isWhole || new Set(names).size !== names.length) continue;
    const value: Tree = { kind: "object", entries: [...already, ...inside] };
    moved = [
      ...moved.filter((entry) => entry !== holder && !inside.includes(entry)),
      { key: branch.key, value },
    ];
    isMoved = true;
  }
  return isMoved ? moved : undefined;
}

const NAMES: readonly string[] = ["name", "key", "field", "property"];
const VALUES: readonly string[] = ["value", "val", "content"];

/** Converts `[["a", 1]]`, `[{"name": "a", "value": 1}]` or `[{"a": 1}]` to an object; undefined for other lists. */
function pairsAsObject({ items }: Tree & { kind: "array" }): Tree | undefined {
  const entries = items.flatMap((item) => entryOf(item) ?? []);
  const isWhole = items.length > 0 && entries.length === items.length;
  const areDistinct = new Set(entries.map((entry) => entry.key)).size === entries.length;
  if (!isWhole || !areDistinct) return undefined;
  return items.length === 1 && items[0]?.kind === "object" && items[0].entries.length === 1
    ? undefined
    : { kind: "object", entries };
}

function entryOf(item: Tree): Entry | undefined {
  if (item.kind === "array") {
    const [key, value] = item.items;
    return item.items.length === 2 && key?.kind === "string" && value !== undefined
      ? { key: key.text, value }
      : undefined;
  }
  if (item.kind !== "object") return undefined;
  const [first, second] = item.entries;
  if (item.entries.length === 1) return first;
  if (item.entries.length !== 2 || first === undefined || second === undefined) return undefined;
  const [name, value] = NAMES.includes(folded(first.key)) ? [first, second] : [second, first];
  return NAMES.includes(folded(name.key)) &&
    VALUES.includes(folded(value.key)) &&
    name.value.kind === "string"
    ? { key: name.value.text, value: value.value }
    : undefined;
}

/** Converts an object with the names 0, 1, 2 … to a list; undefined for other objects. */
export function indexedAsList({ entries }: Tree & { kind: "object" }): Tree | undefined {
  const isIndexed = entries.length > 0 && entries.every((entry, index) => entry.key === String(index));
  return isIndexed ? { kind: "array", items: entries.map((entry) => entry.value) } : undefined;
}
