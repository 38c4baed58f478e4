import type { JsonSchema } from "#shared/json";
import { asSchema, has, isObject, propertiesOf, requiredOf } from "#shared/schema";
import { MARGIN_MIN } from "../bounds.ts";
import { onlyEntry } from "../read/tree.ts";
import type { Tree } from "../read/tree.ts";
import { alignMembers } from "./align-object.ts";
import { costOf, isSameValue, unfit, withStep } from "./aligner.ts";
import type { Aligner } from "./aligner.ts";
import { findPayload } from "./find-payload.ts";
import type { Alignment, Fit, Fitted } from "./fit.ts";
import { indexNames } from "./match-names.ts";
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
    fits: (tree) => tree.kind === "object" && (holdsDeclared(tree, fit.schema) || isNamedBranch(fit, tree)),
    properties: propertiesOf(fit.schema),
  });
  if (payload === undefined) return unfit(fit, "mismatch");
  return withStep(alignMembers(aligner, { ...fit, tree: payload }), fit, "unwrapped", 4);
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

function holdsDeclared(tree: Tree, schema: JsonSchema): boolean {
  const required = requiredOf(schema);
  const names = new Set(tree.kind === "object" ? tree.entries.map((entry) => folded(entry.key)) : []);
  if (required.length > 0) return required.every((key) => names.has(folded(key)));
  const declared = indexNames(propertiesOf(schema)).byFolded;
  return [...names].some((name) => declared.has(name));
}
