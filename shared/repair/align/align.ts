import type { JsonSchema } from "#shared/json";
import { alternativesOf, cachedBy, flatten, membersOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { MARGIN_MIN, WORK } from "../bounds.ts";
import type { Bounds } from "../bounds.ts";
import { collectReadings } from "../read/collect-readings.ts";
import { spend } from "../read/reader.ts";
import { plainValue } from "../read/tree-value.ts";
import { onlyEntry } from "../read/tree.ts";
import type { Tree } from "../read/tree.ts";
import { alignArray } from "./align-array.ts";
import { alignEnum } from "./align-enum.ts";
import { alignScalar, writtenText } from "./align-scalar.ts";
import { alignObject } from "./align-wrapper.ts";
import { costOf, fitted, isSameValue, recall, remember, satisfies, unfit, withStep } from "./aligner.ts";
import type { Aligner, Alignment, Fit, Fitted } from "./aligner.ts";
import { isHolderName } from "./find-payload.ts";
import { isErrorName, isNameOf } from "./match-names.ts";
import { folded } from "./match-words.ts";

/** Fits a tree to a schema, which may be a part of `root`. @throws {ReadRefusal} The work limit is reached. */
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

/** Reads nested JSON only when the whole text is one container. */
function readNested(
  text: string,
  bounds: Bounds,
): { readonly tree: Tree; readonly cost: number } | undefined {
  if (!/^\s*(?:[[{"]|```)/.test(text)) return undefined;
  spend(bounds.work, WORK.nestedText);
  const readings = collectReadings(text, bounds).readings.filter(
    ({ kind }) => kind !== "text" && kind !== "cargo",
  );
  const [only] = readings;
  const isPart = only?.kind === "part" && !only.notes.some((note) => note.step === "fence_removed");
  return readings.length === 1 && only !== undefined && !isPart ? only : undefined;
}

/** Maximum nesting of schemas and values, which also stops endless schema recursion. */
const DEPTH_MAX = 100;

/** Fits one value to one schema: unchanged when it is valid, else by the cheapest coercion. */
function alignNode(aligner: Aligner, given: Fit): Alignment {
  spend(aligner.work, WORK.fit);
  const { open } = aligner;
  const stop = open.length >= DEPTH_MAX ? 0 : askedAt(open, given);
  if (stop !== -1) {
    aligner.stoppedAt = Math.min(aligner.stoppedAt, stop);
    return unfit(given, "too_deep");
  }
  open.push(given);
  try {
    return alignWithin(aligner, given);
  } finally {
    open.pop();
  }
}

/** Index of the same fit among the open ones, or -1: a recursive schema must not wrap a value without end. */
function askedAt(open: readonly Fit[], { tree, schema, name }: Fit): number {
  for (let at = open.length - 1; open[at]?.tree === tree; at -= 1)
    if (open[at]?.schema === schema && open[at]?.name === name) return at;
  return -1;
}

function alignWithin(aligner: Aligner, given: Fit): Alignment {
  const plain = plainValue(given.tree);
  if (plain.ok && satisfies(aligner, plain.value, given.schema)) return fitted(given, plain.value);
  if (!plain.ok && plain.code !== "unsafe_name") return unfit(given, plain.code);
  if (given.tree.kind !== "object" && given.tree.kind !== "array") return alignMisfit(aligner, given);
  const before = recall(aligner.before, given, { depth: aligner.open.length, work: aligner.work });
  if (before !== undefined) return before;
  const outerStop = aligner.stoppedAt;
  aligner.stoppedAt = Number.POSITIVE_INFINITY;
  const alignment = alignMisfit(aligner, given);
  const depth = aligner.open.length;
  // A result that recursion cut short holds only at this position, so it is not cached.
  const isOwn = aligner.stoppedAt >= depth - 1;
  remember(aligner.before, { fit: given, alignment, depth: isOwn ? undefined : depth });
  aligner.stoppedAt = Math.min(outerStop, isOwn ? outerStop : aligner.stoppedAt);
  return alignment;
}

/** Fits a value that does not satisfy its schema. */
function alignMisfit(aligner: Aligner, given: Fit): Alignment {
  const fit: Fit = { ...given, schema: flatten(given.schema, aligner.root) };
  if (fit.schema["x-locked"] === true) return unfit(fit, "locked");
  const aligned = alignKind(aligner, fit);
  if (!aligned.ok || satisfies(aligner, aligned.value, given.schema)) return aligned;
  return unfit(fit, "mismatch");
}

function alignKind(aligner: Aligner, fit: Fit): Alignment {
  const alternatives = mergedAlternatives(fit.schema);
  const constants = alternatives.length > 1 && enumOf(alternatives);
  if (alternatives.length > 0 && constants === false) return alignUnion(aligner, fit, alternatives);
  const schema = constants === false ? fit.schema : constants;
  const members = membersOf(schema);
  if (members !== undefined) return alignMember(aligner, { ...fit, schema }, members);
  return alignType(aligner, fit, typesOf(fit.schema)[0]);
}

function alignType(aligner: Aligner, fit: Fit, type: string | undefined): Alignment {
  if (type === undefined) return unfit(fit, "mismatch");
  if (type === "object") return alignObject(aligner, fit);
  if (type === "array") return alignArray(aligner, fit);
  const scalar = writtenText(fit.tree) === undefined ? withoutWrapper(aligner, fit) : undefined;
  return scalar ?? alignScalar(aligner, fit, type);
}

function alignMember(aligner: Aligner, fit: Fit, members: readonly JsonValue[]): Alignment {
  const { tree } = fit;
  if (tree.kind === "literal" && tree.value === null) {
    const named = members.find((member) => member === tree.written);
    return named === undefined ? unfit(fit, "missing") : fitted(fit, named, "literal_as_member", 1);
  }
  if (writtenText(tree) !== undefined) return alignEnum(aligner, fit, members);
  return withoutWrapper(aligner, fit) ?? unfit(fit, "mismatch");
}

/** Unwraps a scalar that is alone in a list, or alone in an object under its own name or "value". */
function withoutWrapper(aligner: Aligner, fit: Fit): Alignment | undefined {
  const { tree } = fit;
  if (tree.kind === "array" && tree.items.length === 1 && tree.items[0] !== undefined) {
    return withStep(alignNode(aligner, { ...fit, tree: tree.items[0] }), fit, "taken_out_of_list", 3);
  }
  const measured = measuredText(tree);
  if (measured !== undefined)
    return withStep(alignNode(aligner, { ...fit, tree: measured }), fit, "unwrapped", 4);
  const only = onlyEntry(tree);
  if (
    only === undefined ||
    !(isHolderName(only.key) || isNameOf(only.key, fit.name) || isWhole(fit, only.key))
  )
    return undefined;
  return withStep(alignNode(aligner, { ...fit, tree: only.value }), fit, "unwrapped", 4);
}

/** An answer that is one value and no text may stand under any name, as `{"sentiment": "positive"}`. */
function isWhole({ path, schema }: Fit, name: string): boolean {
  const isText = membersOf(schema) === undefined && typesOf(schema).includes("string");
  return path === "" && !isText && !isErrorName(name);
}

/** Reads `{"value": 2.5, "unit": "kg"}` as the text `2.5 kg`. */
function measuredText(tree: Tree): Tree | undefined {
  if (tree.kind !== "object" || tree.entries.length !== 2) return undefined;
  const find = (names: RegExp): string | undefined => {
    const entry = tree.entries.find(({ key }) => names.test(folded(key)));
    return entry === undefined ? undefined : writtenText(entry.value);
  };
  const value = find(/^(?:value|amount|quantity|number)$/);
  const unit = find(/^(?:units?|uom|currency)$/);
  return value === undefined || unit === undefined
    ? undefined
    : { kind: "string", text: `${value} ${unit}`, bare: false };
}

/** Picks the cheapest alternative that fits. Different values at similar cost are ambiguous. */
function alignUnion(aligner: Aligner, fit: Fit, alternatives: readonly Fit["schema"][]): Alignment {
  const isAlternative = alternatives.length > 1;
  const tried = alternatives.map((schema) => alignNode(aligner, { ...fit, schema, isAlternative }));
  const fitting = tried
    .filter((one): one is Fitted => one.ok)
    .toSorted((a, b) => costOf(a.notes) - costOf(b.notes));
  const [best] = fitting;
  if (best === undefined) {
    const ambiguous = tried.find((one) => !one.ok && one.code === "ambiguous");
    return ambiguous ?? (tried.length === 1 && tried[0] !== undefined ? tried[0] : unfit(fit, "mismatch"));
  }
  const rival = fitting.find((one) => !isSameValue(one.value, best.value, aligner.work));
  if (rival !== undefined && costOf(rival.notes) - costOf(best.notes) < MARGIN_MIN) {
    return { ...unfit(fit, "ambiguous"), candidates: [best.value, rival.value] };
  }
  return best;
}

/** The enum that a union of constants is; false where an alternative says more. */
const enumOf = cachedBy((alternatives: readonly JsonSchema[]): JsonSchema | false => {
  const isConstant = (one: JsonSchema): boolean =>
    membersOf(one) !== undefined && Object.keys(one).every((key) => CONSTANT_KEYS.test(key));
  return alternatives.every(isConstant) && { enum: alternatives.flatMap((one) => membersOf(one) ?? []) };
});

const CONSTANT_KEYS = /^(?:const|enum|type|title|description|\$comment)$/;

/** Returns a schema's alternatives, each merged with the keywords beside them; the same objects, for caches. */
const mergedAlternatives = cachedBy((schema: JsonSchema): readonly JsonSchema[] => {
  const { anyOf: _anyOf, oneOf: _oneOf, type: _type, ...common } = schema;
  const listed = alternativesOf(schema);
  if (listed.length > 0) return listed.map((one) => ({ ...common, ...one }));
  const types = "const" in schema || Array.isArray(schema["enum"]) ? [] : typesOf(schema);
  return types.length > 1 ? types.map((type) => ({ ...common, type })) : [];
});

/** Returns the declared types, else the type that the other keywords imply. */
function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  if (schema["properties"] !== undefined || schema["required"] !== undefined) return ["object"];
  return schema["items"] !== undefined || schema["prefixItems"] !== undefined ? ["array"] : [];
}
