import type { JsonSchema } from "#shared/json";
import {
  ANYTHING,
  asSchema,
  below,
  flatten,
  fromBoolean,
  has,
  memberSchema,
  propertiesOf,
  requiredOf,
} from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { COST_MAX } from "../bounds.ts";
import type { Note } from "../first-aid-result.ts";
import { spend } from "../read/reader.ts";
import { toValue } from "../read/tree-value.ts";
import type { Entry, Tree } from "../read/tree.ts";
import { meansNoValue } from "./align-scalar.ts";
import { addAll, isSameValue, unfit } from "./aligner.ts";
import type { Aligner, Alignment, Beside, Fit, Unfit } from "./aligner.ts";
import { indexNames, isAlike, matchName } from "./match-names.ts";
import { folded } from "./match-words.ts";

interface Assembly {
  readonly value: JsonObject;
  readonly notes: Note[];
  readonly unused: string[];
  readonly beside: Beside;
}

/** Fits the members of an object to the declared properties. */
export function alignMembers(aligner: Aligner, fit: Fit): Alignment {
  const properties = propertiesOf(fit.schema);
  const entries = fit.tree.kind === "object" ? fit.tree.entries : [];
  const beside: Beside = { entries, around: fit.beside };
  const assembly: Assembly = { value: {}, notes: [], unused: [], beside };
  const placed = assignMembers(aligner, { fit, entries, properties });
  if (!placed.ok) return placed;
  for (const { entry, key, note } of placed.members) {
    if (note !== undefined) assembly.notes.push(note);
    const schema = memberSchema(fit.schema, key, aligner.work) ?? ANYTHING;
    const problem = addMember(aligner, { fit, assembly }, { key, tree: entry.value, schema });
    if (problem !== undefined) return problem;
  }
  for (const entry of placed.extra) {
    const problem = addExtra(aligner, { fit, assembly }, entry);
    if (problem !== undefined) return problem;
  }
  return fillGaps(aligner, fit, assembly);
}

interface AssignedMembers {
  readonly ok: true;
  readonly members: readonly {
    readonly entry: Entry;
    readonly key: string;
    readonly note?: Note | undefined;
  }[];
  readonly extra: readonly Entry[];
}

/** Assigns members to properties: exact names first, then other spellings. */
function assignMembers(
  aligner: Aligner,
  { fit, entries, properties }: { fit: Fit; entries: readonly Entry[]; properties: JsonSchema },
): AssignedMembers | Unfit {
  const isExact = (entry: Entry): boolean =>
    entry.key !== "__proto__" && memberSchema(fit.schema, entry.key, aligner.work) !== undefined;
  const members: AssignedMembers["members"][number][] = [];
  const others: Entry[] = [];
  for (const entry of entries) {
    if (isExact(entry)) members.push({ entry, key: entry.key });
    else others.push(entry);
  }
  if (others.length === 0) return { ok: true, members, extra: [] };
  const taken = new Set(members.map(({ key }) => key));
  const spelled = new Map(members.map(({ key }) => [folded(key), key]));
  spelled.delete("");
  const ask = { taken, index: indexNames(properties), spend: (steps: number) => spend(aligner.work, steps) };
  const extra: Entry[] = [];
  const isClosed = fit.schema["additionalProperties"] === false;
  for (const entry of others) {
    spend(aligner.work, 100 + entry.key.length * 4);
    // Each dropped member costs 2, so many of them would exceed the limit in the end.
    if (isClosed && extra.length * 2 > COST_MAX) return unfit(fit, "too_costly");
    const twin = isClosed ? (spelled.get(folded(entry.key)) ?? takenFor(entry.key, ask)) : undefined;
    if (twin !== undefined) {
      // Two spellings of one property must have the same value.
      members.push({
        entry,
        key: twin,
        note: renamed(fit, { property: twin, step: "name_spelling", cost: 2 }),
      });
      continue;
    }
    const match = matchName(entry.key, ask);
    if (match === "ambiguous") return unfit(fit, "ambiguous");
    const isLocked = asSchema(properties[match?.property ?? ""])?.["x-locked"] === true;
    const isInexact = match?.step === "name_near_miss";
    const isOpenGap =
      isInexact &&
      fit.schema["additionalProperties"] !== false &&
      !requiredOf(fit.schema).includes(match.property);
    // In an open object a name similar to an optional property may be a property of its own.
    if (match === undefined || isOpenGap || (isLocked && isInexact)) extra.push(entry);
    else members.push({ entry, key: match.property, note: renamed(fit, match) });
  }
  return { ok: true, members, extra };
}

/** The property that an alias or a slip means, although an exact name has taken it. */
function takenFor(name: string, ask: Parameters<typeof matchName>[1]): string | undefined {
  const match = matchName(name, { ...ask, taken: new Set() });
  const isTaken = match !== undefined && match !== "ambiguous" && ask.taken.has(match.property);
  return isTaken ? match.property : undefined;
}

function renamed(fit: Fit, match: { property: string; step: string; cost: number }): Note {
  return { path: below(fit.path, match.property), step: match.step, cost: match.cost };
}

interface Into {
  readonly fit: Fit;
  readonly assembly: Assembly;
}

function addMember(
  aligner: Aligner,
  { fit, assembly }: Into,
  { key, tree, schema }: { key: string; tree: Tree; schema: JsonSchema },
): Unfit | undefined {
  const path = below(fit.path, key);
  const aligned = aligner.alignNode({ tree, schema, path, name: key, beside: assembly.beside });
  if (!aligned.ok && !mayDropNull(aligner, { fit, key, tree, schema })) return aligned;
  if (!aligned.ok) {
    assembly.notes.push({ path, step: "null_removed", cost: 2 });
    return undefined;
  }
  if (has(assembly.value, key) && !isSameValue(assembly.value[key] ?? null, aligned.value, aligner.work))
    return unfit({ ...fit, path }, "duplicate_key");
  assembly.value[key] = aligned.value;
  addAll(assembly.notes, aligned.notes);
  addAll(assembly.unused, aligned.unused);
  return undefined;
}

/** Drops null for an optional, non-nullable property, unless it has a default, which would replace the null. */
function mayDropNull(
  aligner: Aligner,
  { fit, key, tree, schema }: { fit: Fit; key: string; tree: Tree; schema: JsonSchema },
): boolean {
  const isNull =
    (tree.kind === "literal" && tree.value === null) || (tree.kind === "string" && meansNoValue(tree.text));
  const flat = flatten(schema, aligner.root);
  return isNull && !requiredOf(fit.schema).includes(key) && !("default" in flat) && flat["x-locked"] !== true;
}

/** Keeps undeclared members in an open contract and drops them in a closed one. */
function addExtra(aligner: Aligner, { fit, assembly }: Into, entry: Entry): Unfit | undefined {
  const rest =
    fit.schema["additionalProperties"] ?? (fit.schema["unevaluatedProperties"] === false ? false : undefined);
  const path = below(fit.path, entry.key);
  if (rest === false) {
    if (mayBeDeclared(aligner, { fit, assembly }, entry)) return unfit({ ...fit, path }, "ambiguous");
    assembly.unused.push(path);
    assembly.notes.push({ path, step: "extra_member_removed", cost: 2 });
    return undefined;
  }
  if (entry.key === "__proto__") return unfit(fit, "unsafe_name");
  if (rest !== undefined)
    return addMember(
      aligner,
      { fit, assembly },
      { key: entry.key, tree: entry.value, schema: fromBoolean(rest) },
    );
  assembly.value[entry.key] = toValue(entry.value);
  return undefined;
}

/** Returns true for what may be a declared member that is absent: it is named nearly so, or its content fits. */
function mayBeDeclared(aligner: Aligner, { fit, assembly }: Into, { key, value }: Entry): boolean {
  const properties = propertiesOf(fit.schema);
  const isFilled =
    (value.kind === "array" && value.items.length > 0) ||
    (value.kind === "object" && value.entries.length > 0);
  return Object.keys(properties).some((name) => {
    const schema = fromBoolean(properties[name]);
    // Without a required member the object is refused anyway.
    if (has(assembly.value, name) || (requiredOf(fit.schema).includes(name) && !("default" in schema)))
      return false;
    const path = below(fit.path, name);
    return (
      isAlike(folded(key), folded(name)) ||
      (isFilled && aligner.alignNode({ tree: value, schema, path, name }).ok)
    );
  });
}

/** Fills a required gap with the only value that the contract allows or with its default, and with nothing else. */
function fillGaps(aligner: Aligner, fit: Fit, assembly: Assembly): Alignment {
  const properties = propertiesOf(fit.schema);
  for (const key of requiredOf(fit.schema)) {
    if (has(assembly.value, key)) continue;
    const path = below(fit.path, key);
    const declared = has(properties, key) ? flatten(fromBoolean(properties[key]), aligner.root) : {};
    if (
      typeof declared["const"] === "string" &&
      (fit.isAlternative === true || isAllElse(fit, assembly, key))
    ) {
      assembly.value[key] = declared["const"];
      assembly.notes.push({ path, step: "discriminator_filled", cost: 4 });
      continue;
    }
    if (!("default" in declared) || declared["x-locked"] === true) return unfit({ ...fit, path }, "missing");
    // A schema is JSON; the copy protects it from changes to the repaired value.
    assembly.value[key] = structuredClone(declared["default"]) as JsonValue;
    assembly.notes.push({ path, step: "default_filled", cost: 2 });
  }
  return { ok: true, value: assembly.value, notes: assembly.notes, unused: assembly.unused };
}

/** Returns true when nothing but one constant is missing from an object with other required members. */
function isAllElse(fit: Fit, { value }: Assembly, key: string): boolean {
  const others = requiredOf(fit.schema).filter((one) => one !== key);
  return others.length > 0 && others.every((one) => has(value, one));
}
