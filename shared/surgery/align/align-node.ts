import { canonical } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { ReadRefusal, spend } from "../read/reader.ts";
import type { Tree } from "../read/tree.ts";
import { toValue } from "../read/tree-value.ts";
import { flatten, schemaList } from "../schema/resolve.ts";
import { alignArray } from "./align-array.ts";
import { alignEnum, membersOf } from "./align-enum.ts";
import { alignScalar, writtenText } from "./align-scalar.ts";
import { alignObject } from "./align-wrapper.ts";
import { costOf, fitted, satisfies, unfit, withStep } from "./aligner.ts";
import type { Aligner, Alignment, Fit, Fitted } from "./aligner.ts";

/** Deepest nesting of schemas and values; a schema that refers to itself without an end stops here. */
const DEPTH_MAX = 100;

/**
 * Fits one value to one schema: untouched where it satisfies it already, else by the cheapest coercion that
 * does.
 */
export function alignNode(aligner: Aligner, given: Fit): Alignment {
  spend(aligner.work, 6);
  if (aligner.depth >= DEPTH_MAX) return unfit(given, "too_deep", "nested too deeply");
  aligner.depth += 1;
  try {
    return alignWithin(aligner, given);
  } finally {
    aligner.depth -= 1;
  }
}

function alignWithin(aligner: Aligner, given: Fit): Alignment {
  const plain = plainValue(given.tree);
  if (plain.ok && satisfies(aligner, plain.value, given.schema)) return fitted(given, plain.value);
  if (!plain.ok && plain.code !== "unsafe_name") return unfit(given, plain.code, "cannot be read in one way");
  const fit: Fit = { ...given, schema: flatten(given.schema, aligner.root) };
  if (fit.schema["x-locked"] === true) return unfit(fit, "locked", "a locked value may not be changed");
  const aligned = alignKind(aligner, fit);
  if (!aligned.ok || satisfies(aligner, aligned.value, given.schema)) return aligned;
  return unfit(fit, "mismatch", "does not satisfy the contract");
}

function plainValue(tree: Tree): { ok: true; value: JsonValue } | { ok: false; code: ReadRefusal["code"] } {
  try {
    return { ok: true, value: toValue(tree) };
  } catch (error) {
    if (error instanceof ReadRefusal) return { ok: false, code: error.code };
    throw error;
  }
}

function alignKind(aligner: Aligner, fit: Fit): Alignment {
  const alternatives = [...schemaList(fit.schema["anyOf"]), ...schemaList(fit.schema["oneOf"])];
  if (alternatives.length > 0) return alignUnion(aligner, fit, alternatives);
  const members = membersOf(fit.schema);
  if (members !== undefined) return alignMember(aligner, fit, members);
  const types = typesOf(fit.schema);
  if (types.length > 1)
    return alignUnion(
      aligner,
      fit,
      types.map((type) => ({ type })),
    );
  return alignType(aligner, fit, types[0]);
}

function typesOf(schema: Fit["schema"]): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  if (schema["properties"] !== undefined || schema["required"] !== undefined) return ["object"];
  return schema["items"] !== undefined || schema["prefixItems"] !== undefined ? ["array"] : [];
}

function alignType(aligner: Aligner, fit: Fit, type: string | undefined): Alignment {
  if (type === undefined) return unfit(fit, "mismatch", "does not satisfy the contract");
  if (type === "object") return alignObject(aligner, fit);
  if (type === "array") return alignArray(aligner, fit);
  const scalar = writtenText(fit.tree) === undefined ? withoutWrapper(aligner, fit) : undefined;
  return scalar ?? alignScalar(aligner, fit, type);
}

function alignMember(aligner: Aligner, fit: Fit, members: readonly JsonValue[]): Alignment {
  const text = writtenText(fit.tree);
  if (text !== undefined)
    return fit.tree.kind === "literal" && fit.tree.value === null
      ? unfit(fit, "missing", "null where a value is required")
      : alignEnum(fit, text, members);
  return withoutWrapper(aligner, fit) ?? unfit(fit, "mismatch", "names no member of the enum");
}

/** A scalar that stands alone in a list, or alone in an object under its own name or the word "value". */
function withoutWrapper(aligner: Aligner, fit: Fit): Alignment | undefined {
  const { tree } = fit;
  if (tree.kind === "array" && tree.items.length === 1 && tree.items[0] !== undefined) {
    return withStep(alignNode(aligner, { ...fit, tree: tree.items[0] }), fit, {
      step: "taken_out_of_list",
      cost: 3,
    });
  }
  if (tree.kind !== "object" || tree.entries.length !== 1) return undefined;
  const [only] = tree.entries;
  if (only === undefined || (only.key !== fit.name && only.key !== "value")) return undefined;
  return withStep(alignNode(aligner, { ...fit, tree: only.value }), fit, { step: "unwrapped", cost: 4 });
}

/** The cheapest alternative that fits. Two different values at about one price are an ambiguity. */
function alignUnion(aligner: Aligner, fit: Fit, alternatives: readonly Fit["schema"][]): Alignment {
  const { anyOf: _anyOf, oneOf: _oneOf, type: _type, ...common } = fit.schema;
  const tried = alternatives.map((alternative) =>
    alignNode(aligner, {
      ...fit,
      schema: { ...common, ...alternative },
      isAlternative: alternatives.length > 1,
    }),
  );
  const fitting = tried
    .filter((one): one is Fitted => one.ok)
    .toSorted((a, b) => costOf(a.notes) - costOf(b.notes));
  const [best] = fitting;
  if (best === undefined) {
    const ambiguous = tried.find((one) => !one.ok && one.code === "ambiguous");
    return (
      ambiguous ??
      (tried.length === 1 && tried[0] !== undefined
        ? tried[0]
        : unfit(fit, "mismatch", "fits none of the alternatives"))
    );
  }
  const rival = fitting.find((one) => canonical(one.value) !== canonical(best.value));
  if (rival !== undefined && costOf(rival.notes) - costOf(best.notes) < aligner.marginMin) {
    return { ...unfit(fit, "ambiguous", "fits two alternatives"), candidates: [best.value, rival.value] };
  }
  return best;
}
