import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import {
  alignTree,
  boundsOf,
  datesOf,
  dateTimesOf,
  folded,
  fromValue,
  ReadRefusal,
  writtenForms,
} from "#shared/repair";
import { cachedBy, canonical, enumOf, isSameJson, nameOf } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { ProvenanceEntry } from "./proof.ts";
import { findNumber, findText, FirstByOutcome } from "./sources.ts";
import type { Originals, Source, Sources } from "./sources.ts";

export interface Derivation {
  readonly kind: ProvenanceEntry["kind"];
  readonly detail: string;
}

export interface Question {
  readonly leaf: Leaf;
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly sources: Sources;
  /** Leaves of the original, from which a coercion may start. */
  readonly originals: Originals;
  /** True for a model, which may interpret text; false for deterministic procedures. */
  readonly mayRead: boolean;
  /** The pieces of the text that the value was read from: first aid's evidence, or a model's quotations. */
  readonly pieces: readonly string[];
}

/** Derives a value of the repair from the text, the sources or the contract; undefined for an invented value. */
export function derive(question: Question): Derivation | undefined {
  return readFromPiece(question) ?? deriveElsewhere(question);
}

/** A piece counts if it is the value, or if first aid reads the value from it alone. */
function readFromPiece({ leaf, schema, root, pieces }: Question): Derivation | undefined {
  const isRead = pieces.some((piece) => isValueOf(piece, leaf, { schema, root }));
  return isRead ? { kind: "original", detail: "stands in the original's text" } : undefined;
}

/** Returns true for a value from which first aid makes a leaf's value, by itself and under the leaf's name. */
export function isValueOf(
  from: JsonValue,
  { value, steps }: Leaf,
  { schema, root }: { readonly schema: JsonSchema; readonly root: JsonSchema },
): boolean {
  if (typeof value === "string" && typeof from === "string" && writtenForms(value).includes(from))
    return true;
  return outcome(from, schema, { root, name: nameOf(steps) }) === canonical(value);
}

function deriveElsewhere(question: Question): Derivation | undefined {
  const { leaf, schema } = question;
  const { value } = leaf;
  if (value === null || typeof value === "object") {
    const isSaid = question.originals.named(nameOf(leaf.steps)).some((one) => isSameJson(one.value, value));
    return isSaid
      ? { kind: "original", detail: "as empty as in the original" }
      : { kind: "contract", detail: "holds no fact" };
  }
  const members = enumOf(schema, question.root);
  if (members !== undefined) return deriveMember(question, members);
  if ("default" in schema && isSameJson(value, schema["default"]))
    return { kind: "contract", detail: "the declared default" };
  const coerced = coercedFromName(question);
  if (typeof value === "number")
    return coerced ?? found(findNumber(question.sources, value), "the number, digit for digit");
  if (typeof value === "boolean") return coerced ?? readByModel(question);
  const direct = found(findText(question.sources, value), "the text, verbatim") ?? coerced;
  if (direct !== undefined) return direct;
  if (schema["x-surgeon-writes"] === true)
    return { kind: "surgeon_text", detail: "the contract lets the surgeon write here" };
  return deriveDate(question, value) ?? deriveCase(question, value);
}

function found(kind: ProvenanceEntry["kind"] | undefined, what: string): Derivation | undefined {
  return kind === undefined ? undefined : { kind, detail: `${what}, stands in ${kind}` };
}

/**
 * An enum member is derived when it is the only one, or a source names it by first aid's word rules. A model may choose
 * one where no text names another ("it broke" → "damaged"); else it is an invention.
 */
function deriveMember(question: Question, members: JsonValue[]): Derivation | undefined {
  const { leaf, schema, sources, originals, root } = question;
  if (members.length === 1) return { kind: "contract", detail: "the only value the contract allows" };
  if ("default" in schema && isSameJson(leaf.value, schema["default"]))
    return { kind: "contract", detail: "the declared default" };
  const bare = bareEnum(schema, members);
  const wanted = canonical(leaf.value);
  const name = nameOf(leaf.steps);
  const outcomeOf = (text: string): string | undefined => outcome(text, bare, { root });
  const own = originals.textsBy({ schema: bare, name }, outcomeOf);
  if (own.find(wanted) !== undefined) return { kind: "coerced", detail: "the original names this member" };
  if (own.hasAny()) return undefined;
  const naming = scalarsBy(sources, bare, ({ text }) => (text.length > 600 ? undefined : outcomeOf(text)));
  const source = naming.find(wanted);
  if (source !== undefined) return { kind: source.kind, detail: "a source names this member" };
  return readByModel(question);
}

/** A member or a truth value may be what a text means without saying it ("it broke"), as far as a model quotes it. */
function readByModel({ mayRead, originals, pieces, leaf }: Question): Derivation | undefined {
  if (!mayRead || (pieces.length === 0 && originals.textsOf(nameOf(leaf.steps)).length === 0))
    return undefined;
  return { kind: "original", detail: "what the text means, as a model reads it" };
}

const bareEnums = new WeakMap<JsonSchema, JsonSchema>();

/** The members of a schema with their synonyms; one object a schema, so that caches hit. */
function bareEnum(schema: JsonSchema, members: JsonValue[]): JsonSchema {
  return kept(bareEnums, schema, ({ "x-synonyms": synonyms }) => ({
    enum: members,
    ...(synonyms === undefined ? {} : { "x-synonyms": synonyms }),
  }));
}

function scalarsBy(
  { scalars, asked }: Sources,
  schema: JsonSchema,
  outcomeOf: (source: Source) => string | undefined,
): FirstByOutcome<Source> {
  return kept(asked, schema, () => new FirstByOutcome(scalars, outcomeOf));
}

/** First aid's result for a value under a schema, as canonical text; undefined for a refusal. */
function outcome(
  from: JsonValue,
  schema: JsonSchema,
  at: { readonly root: JsonSchema; readonly name?: string },
): string | undefined {
  try {
    const bounds = { ...boundsOf({ workMax: 800_000 }, schema), root: at.root, name: at.name ?? "" };
    const aligned = alignTree(fromValue(from, 16), bared(schema), bounds);
    return aligned.ok ? canonical(aligned.value) : undefined;
  } catch (error) {
    if (error instanceof ReadRefusal) return undefined;
    throw error;
  }
}

/** Removes the lock, which restricts who writes, and the default, which no text says. */
const bared = cachedBy(({ "x-locked": _lock, default: _default, ...bare }: JsonSchema): JsonSchema => bare);

/** Returns true when the original has a value of the same name that first aid coerces to this one. */
function coercedFromName({ leaf, schema, originals, root }: Question): Derivation | undefined {
  const name = nameOf(leaf.steps);
  const from = originals
    .leavesBy({ schema, name }, (one) => outcome(one.value, schema, { root, name }))
    .find(canonical(leaf.value));
  return from && { kind: "coerced", detail: `from the original's value at ${from.path || "/"}` };
}

function deriveDate({ schema, sources }: Question, value: string): Derivation | undefined {
  if (schema["format"] !== "date" && schema["format"] !== "date-time") return undefined;
  const readings = schema["format"] === "date" ? datesOf : dateTimesOf;
  const source = scalarsBy(sources, schema, ({ text }) => {
    const dates = text.length < 64 ? readings(text) : [];
    return dates.length === 1 ? dates[0] : undefined;
  }).find(value);
  return source && { kind: "coerced", detail: `a date written otherwise in ${source.kind}` };
}

/** Words may differ in case, accents and punctuation; values with digits are identifiers and may not. */
function deriveCase({ sources }: Question, value: string): Derivation | undefined {
  if (/\d/.test(value) || folded(value) === "") return undefined;
  const kind = sources.folded().get(folded(value));
  return kind && { kind: "coerced", detail: `the same words in ${kind}` };
}
