import type { JsonSchema } from "#shared/json";
import { asSchema, flatten, fromBoolean, has, isObject, propertiesOf, requiredOf } from "#shared/schema";
import { onlyEntry } from "../read/tree.ts";
import type { Tree } from "../read/tree.ts";
import { alignMembers } from "./align-object.ts";
import { isApology } from "./apology.ts";
import { costOf, unfit, withStep } from "./aligner.ts";
import type { Aligner } from "./aligner.ts";
import { findPayload } from "./find-payload.ts";
import type { Alignment, Fit, Fitted } from "./fit.ts";
import { isSameValue } from "./is-same-value.ts";
import { indexNames, isErrorName } from "./match-names.ts";
import { folded } from "./match-words.ts";
import { moveLevels } from "./move-levels.ts";
import { pairsAsObject } from "./pairs.ts";

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
    const taken = withStep(aligner.alignNode({ ...fit, tree: tree.items[0] }), fit, "taken_out_of_list", 3);
    const wrapped = taken.ok ? taken : alignIntoOnly(aligner, fit);
    return wrapped.ok ? wrapped : taken;
  }
  if (tree.kind !== "object") return alignIntoOnly(aligner, fit);
  const direct = alignMembers(aligner, fit);
  if (tree.entries.some(({ value }) => value.kind === "string" && value.text === "__proto__")) return direct;
  const isWhole = direct.ok && !losesMember(fit, direct);
  if (isWhole && direct.unused.length === 0) return direct;
  const inOtherLevel = isWhole ? alignMoved(aligner, fit) : undefined;
  if (isWhole) return inOtherLevel?.ok === true ? inOtherLevel : direct;
  const [best, ...others] = [unwrapped(aligner, fit), alignIntoOnly(aligner, fit), alignMoved(aligner, fit)]
    .filter((one): one is Fitted => one.ok && !losesMember(fit, one))
    .toSorted((a, b) => costOf(a.notes) - costOf(b.notes));
  if (best === undefined) return direct.ok ? unfit(fit, "ambiguous") : direct;
  const isRival = (one: Fitted): boolean =>
    costOf(one.notes) - costOf(best.notes) < aligner.marginMin &&
    !isSameValue(one.value, best.value, aligner.work);
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
  if (nested === undefined || nested.tree.kind === "string") return alignAmongWords(aligner, fit, tree.text);
  return withStep(aligner.alignNode({ ...fit, tree: nested.tree }), fit, "nested_json", 3 + nested.cost);
}

/** Fits the one object among the words of a text; several that fit are ambiguous. */
function alignAmongWords(aligner: Aligner, fit: Fit, text: string): Alignment {
  const whole = alignIntoOnly(aligner, fit);
  // A text that is all there is was read with the words around.
  if (whole.ok || fit.path === "") return whole;
  const [only, ...others] = aligner.readParts(text).flatMap(({ tree, cost }) => {
    const aligned = withStep(aligner.alignNode({ ...fit, tree }), fit, "text_around_removed", 3 + cost);
    return aligned.ok ? [aligned] : [];
  });
  if (only === undefined) return whole;
  return others.every((other) => isSameValue(other.value, only.value, aligner.work))
    ? only
    : unfit(fit, "ambiguous");
}

/** Unwraps `{"result": {…}}`, an envelope that the contract does not know. */
function unwrapped(aligner: Aligner, fit: Fit): Alignment {
  const payload = findPayload(fit.tree, {
    readNested: aligner.readNested,
    fits: (tree) => tree.kind === "object" && (holdsDeclared(tree, fit.schema) || isNamedBranch(fit, tree)),
    properties: propertiesOf(fit.schema),
  });
  if (payload === undefined) return unfit(fit, "mismatch");
  return withStep(alignMembers(aligner, { ...fit, tree: payload }), fit, "unwrapped", 4);
}

/** Puts a value under the only required property when its wrapper is missing or has another name. */
function alignIntoOnly(aligner: Aligner, fit: Fit): Alignment {
  const [key, ...others] = requiredOf(fit.schema);
  const properties = propertiesOf(fit.schema);
  if (key === undefined || others.length > 0 || !Object.hasOwn(properties, key))
    return unfit(fit, "mismatch");
  const inner = flatten(fromBoolean(properties[key]), aligner.root);
  const only = onlyEntry(fit.tree);
  const declared = indexNames(properties).byFolded;
  // A member that the contract declares beside the wrapper stays outside of it.
  const isBeside =
    fit.tree.kind === "object" && fit.tree.entries.some((one) => declared.has(folded(one.key)));
  if (isContainer(fit.tree) && !isBeside && fitsShape(aligner, fit.tree, inner)) {
    return into(aligner, fit, { key, tree: fit.tree, step: "wrapper_added", cost: 4 });
  }
  if (
    only !== undefined &&
    !isErrorName(only.key) &&
    only.key !== "__proto__" &&
    isContainer(only.value) &&
    fitsShape(aligner, only.value, inner)
  ) {
    return into(aligner, fit, { key, tree: only.value, step: "wrapper_renamed", cost: 5 });
  }
  // A bare scalar must fit unchanged; any further coercion would be a guess.
  const isScalar =
    !isContainer(fit.tree) &&
    Object.keys(properties).length === 1 &&
    !(fit.tree.kind === "literal" && fit.tree.value === null) &&
    !(fit.tree.kind === "string" && isApology(fit.tree.text));
  if (!isScalar) return unfit(fit, "mismatch");
  const aligned = aligner.alignNode({ tree: fit.tree, schema: inner, path: `${fit.path}/${key}`, name: key });
  if (!aligned.ok || costOf(aligned.notes) > 0) return unfit(fit, "mismatch");
  return into(aligner, fit, { key, tree: fit.tree, step: "wrapper_added", cost: 5 });
}

function into(
  aligner: Aligner,
  fit: Fit,
  how: { key: string; tree: Tree; step: string; cost: number },
): Alignment {
  const tree: Tree = { kind: "object", entries: [{ key: how.key, value: how.tree }] };
  return withStep(alignMembers(aligner, { ...fit, tree }), fit, how.step, how.cost);
}

/** Returns true for `{"card": {…}}`, where the wrapper's name is the discriminator of this alternative. */
function isNamedBranch(fit: Fit, inner: Tree): boolean {
  const only = onlyEntry(fit.tree);
  if (fit.isAlternative !== true || only?.value !== inner) return false;
  return Object.values(propertiesOf(fit.schema)).some((property) => {
    const constant = asSchema(property)?.["const"];
    return typeof constant === "string" && folded(constant) === folded(only.key);
  });
}

function isContainer(tree: Tree): boolean {
  return tree.kind === "object" || tree.kind === "array";
}

/** Returns true for an object with the schema's required names, or a list of such objects. */
function fitsShape(aligner: Aligner, tree: Tree, schema: JsonSchema): boolean {
  if (tree.kind === "array") {
    const items =
      schema["items"] === undefined ? undefined : flatten(fromBoolean(schema["items"]), aligner.root);
    const [first] = tree.items;
    if (items === undefined || first === undefined || (schema["type"] ?? "array") !== "array") return false;
    return first.kind === "object" ? holdsDeclared(first, items) : fitsAsIs(aligner, tree, schema);
  }
  return tree.kind === "object" && holdsDeclared(tree, schema);
}

function fitsAsIs(aligner: Aligner, tree: Tree, schema: JsonSchema): boolean {
  const aligned = aligner.alignNode({ tree, schema, path: "", name: "" });
  return aligned.ok && costOf(aligned.notes) === 0;
}

function holdsDeclared(tree: Tree, schema: JsonSchema): boolean {
  const required = requiredOf(schema);
  const names = new Set(tree.kind === "object" ? tree.entries.map((entry) => folded(entry.key)) : []);
  if (required.length > 0) return required.every((key) => names.has(folded(key)));
  const declared = indexNames(propertiesOf(schema)).byFolded;
  return [...names].some((name) => declared.has(name));
}
