import type { JsonSchema } from "#shared/contract";
import { datesOf, dateTimesOf } from "../align/align-date.ts";
import { alignTree } from "../align/align.ts";
import { folded } from "../align/match-words.ts";
import { boundsOf } from "../bounds.ts";
import { canonical, scalarText } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { ReadRefusal } from "../read/reader.ts";
import { fromValue } from "../read/tree-value.ts";
import { isSame } from "../schema/validate.ts";
import { enumOf } from "./enum-of.ts";
import type { Leaf } from "./leaves.ts";
import { nameOf } from "./leaves.ts";
import type { ProvenanceEntry } from "./proof.ts";
import { findNumber, findText } from "./sources.ts";
import type { Sources } from "./sources.ts";

export interface Derivation {
  readonly kind: ProvenanceEntry["kind"];
  readonly detail: string;
}

export interface Question {
  readonly leaf: Leaf;
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly sources: Sources;
  /** Leaves of the original: the values that a coercion may start from. */
  readonly originals: readonly Leaf[];
  /** Whether the proposer can read meaning: a model can, the deterministic procedures cannot. */
  readonly mayRead: boolean;
}

/**
 * Says how a value of the repair follows from the sources or the contract; undefined where it does not: it
 * is invented.
 */
export function derive(question: Question): Derivation | undefined {
  const { leaf, schema } = question;
  const { value } = leaf;
  if (value === null || typeof value === "object") return { kind: "contract", detail: "holds no fact" };
  const members = enumOf(schema, question.root);
  if (members !== undefined) return deriveMember(question, members);
  if ("default" in schema && isSame(value, schema["default"]))
    return { kind: "contract", detail: "the declared default" };
  const coerced = coercedFromName(question);
  if (typeof value === "number")
    return coerced ?? found(findNumber(question.sources, value), "the number, digit for digit");
  if (typeof value === "boolean") return coerced;
  const direct = found(findText(question.sources, value), "the text, letter by letter") ?? coerced;
  if (direct !== undefined) return direct;
  if (schema["x-surgeon-writes"] === true)
    return { kind: "surgeon_text", detail: "the contract lets the surgeon write here" };
  return deriveDate(question, value) ?? deriveCase(question, value);
}

function found(kind: ProvenanceEntry["kind"] | undefined, what: string): Derivation | undefined {
  return kind === undefined ? undefined : { kind, detail: `${what}, stands in ${kind}` };
}

/**
 * A member is derived where it is the only one, or where a source names it by the word rules of first aid: the
 * original's
 * own text at that place first, then the others. A model may also choose one for text of the original that names none
 * ("it broke" → "damaged"): that reads what is there. Where nothing stands, or what stands names another member, a
 * choice
 * would be an invention.
 */
function deriveMember(question: Question, members: JsonValue[]): Derivation | undefined {
  const { leaf, schema, sources, originals, root } = question;
  if (members.length === 1) return { kind: "contract", detail: "the only value the contract allows" };
  if ("default" in schema && isSame(leaf.value, schema["default"]))
    return { kind: "contract", detail: "the declared default" };
  const bare: JsonSchema = {
    enum: members,
    ...(schema["x-synonyms"] === undefined ? {} : { "x-synonyms": schema["x-synonyms"] }),
  };
  const name = nameOf(leaf.steps);
  const own = originals.filter(
    (one) => folded(nameOf(one.steps)) === folded(name) && typeof one.value !== "object",
  );
  const names = (text: string, member: JsonValue): boolean => fits(text, bare, { root, value: member });
  const ownTexts = own.map((one) => scalarText(one.value)).filter((text) => text.trim() !== "");
  if (ownTexts.some((text) => names(text, leaf.value)))
    return { kind: "coerced", detail: "the original names this member" };
  if (ownTexts.some((text) => members.some((member) => names(text, member)))) return undefined;
  const naming = sources.scalars.find(({ text }) => text.length <= 600 && names(text, leaf.value));
  if (naming !== undefined) return { kind: naming.kind, detail: "a source names this member" };
  if (!question.mayRead || ownTexts.length === 0) return undefined;
  return { kind: "contract", detail: "a member of the contract's list, chosen for the original's words" };
}

/** Whether first aid, given a text and a schema, comes to this value. */
function fits(
  from: JsonValue,
  schema: JsonSchema,
  want: { readonly root: JsonSchema; readonly value: JsonValue; readonly name?: string },
): boolean {
  try {
    const bounds = { ...boundsOf({ workMax: 200_000 }, schema), root: want.root, name: want.name ?? "" };
    // A lock says who may write, not what follows from what.
    const aligned = alignTree(fromValue(from, 16), { ...schema, "x-locked": false }, bounds);
    return aligned.ok && canonical(aligned.value) === canonical(want.value);
  } catch (error) {
    if (error instanceof ReadRefusal) return false;
    throw error;
  }
}

/** A value is a coercion where the original holds, under the same name, one that first aid turns into it. */
function coercedFromName({ leaf, schema, originals, root }: Question): Derivation | undefined {
  const name = nameOf(leaf.steps);
  const same = originals.filter((one) => folded(nameOf(one.steps)) === folded(name));
  const from = same.find((one) => fits(one.value, schema, { root, value: leaf.value, name }));
  return from && { kind: "coerced", detail: `from the original's value at ${from.path || "/"}` };
}

function deriveDate({ schema, sources }: Question, value: string): Derivation | undefined {
  if (schema["format"] !== "date" && schema["format"] !== "date-time") return undefined;
  const readings = schema["format"] === "date" ? datesOf : dateTimesOf;
  const source = sources.scalars.find(
    ({ text }) => text.length < 64 && readings(text).length === 1 && readings(text)[0] === value,
  );
  return source && { kind: "coerced", detail: `a date written otherwise in ${source.kind}` };
}

/** Words may differ in case, accents and punctuation; what holds a digit is an identifier and may not. */
function deriveCase({ sources }: Question, value: string): Derivation | undefined {
  if (/\d/.test(value) || folded(value) === "") return undefined;
  const kind = sources.folded().get(folded(value));
  return kind && { kind: "coerced", detail: `the same words in ${kind}` };
}
