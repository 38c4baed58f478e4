import type { JsonSchema } from "#shared/json";
import { Concealer, hasSensitive, mapSensitive, sensitiveValues } from "#shared/masking";
import type { Quote } from "#shared/proof";
import { Places, leavesOf, validate } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { RepairContext } from "../../cases/case.ts";
import type { Surgery } from "../../surgery.ts";
import { keyOf, readingsOf, sortValues } from "../find-exposed.ts";
import type { Objected } from "../procedure.ts";

/** A case as a model may see it, with placeholders for sensitive values. */
export interface Concealed {
  readonly text: string;
  readonly sources: RepairContext["sources"];
  /** Type of each placeholder's value. Empty when nothing was concealed. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** True if a contract of the message marks anything, whether or not the message has it. */
  readonly hides: boolean;
  /** Conceals the values in another value of the message's contract. */
  readonly hide: (value: JsonValue) => JsonValue;
  /** Restores the values in a model's answer; null if it put one where its contract does not hide it. */
  readonly reveal: (value: JsonValue) => { readonly value: JsonValue } | null;
  /** Restores them in the texts that a model copied, for the proof. */
  readonly revealQuotes: (quotes: readonly Quote[]) => readonly Quote[];
}

const CLEAR = {
  placeholders: {},
  hides: false,
  hide: (value: JsonValue): JsonValue => value,
  reveal: (value: JsonValue) => ({ value }),
  revealQuotes: (quotes: readonly Quote[]) => quotes,
};

const PLACEHOLDERS = /\[\[sensitive-\d+\]\]/g;

/**
 * Replaces values that contracts mark as sensitive by placeholders, in the message and in its sources. Deterministic
 * for a case, so that another surgeon can read a stored answer.
 *
 * @returns Null if the message is unreadable, so that its sensitive values cannot be located.
 */
export function conceal(
  surgery: Pick<Surgery, "teams">,
  context: RepairContext,
  objected: Objected | null,
): Concealed | null {
  const { schema, value, text, sources, message } = context;
  const { meta, data_payload } = message.envelope;
  const team = surgery.teams.find((one) => one.name === message.record.team);
  const inputSchema =
    sources.input === undefined ? undefined : team?.contracts.find(meta.contract)?.jsonSchema;
  const input =
    inputSchema === undefined ? undefined : { schema: inputSchema, value: data_payload as JsonValue };
  if (!hasSensitive(schema) && (input === undefined || !hasSensitive(input.schema)))
    return { ...CLEAR, text, sources };
  const readings = readingsOf(context);
  if (readings.length === 0 && hasSensitive(schema)) return null;
  const known = [
    ...new Set([
      ...readings.flatMap((one) => sensitiveValues(one, schema)),
      ...(input === undefined ? [] : sensitiveValues(input.value, input.schema)),
      ...(objected === null ? [] : sensitiveValues(objected.value, schema)),
    ]),
  ];
  const names = new Map(known.map((one, n) => [String(one), `[[sensitive-${n + 1}]]`]));
  const nameOf = (one: string | number): string => names.get(String(one)) ?? "[[sensitive-0]]";
  const concealer = new Concealer(known, nameOf);
  const hide = (one: JsonValue, by: JsonSchema = schema): JsonValue =>
    mapSensitive(one, by, nameOf, (other) => concealer.ofScalar(other));
  const { marked, lost } = sortValues(readings, schema);
  const places = {
    schema,
    before: readings.map((one) => hide(one)),
    lost: new Set(lost.map(nameOf)).difference(new Set(marked.map(nameOf))),
  };
  const values = new Map(known.map((each) => [nameOf(each), each]));
  return {
    text: value === undefined ? concealer.inText(text) : JSON.stringify(hide(value)),
    sources: {
      original_query: concealer.inText(sources.original_query),
      // As above.
      history: concealer.inValue(sources.history) as JsonValue,
      input: sources.input === undefined ? undefined : hide(sources.input, input?.schema ?? {}),
    },
    placeholders: Object.fromEntries(known.map((one) => [nameOf(one), describe(one)])),
    hides: true,
    hide: (one) => hide(one),
    reveal: (one) => (areInPlace(one, { ...places, values }) ? { value: reveal(one, values) } : null),
    revealQuotes: (quotes) => quotes.map((one) => ({ ...one, text: inText(one.text, values) })),
  };
}

/** Returns true for a text with a placeholder. */
export function namesPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDERS) !== -1;
}

function describe(value: string | number): string {
  // No length: among the members of a list it would tell which one it is.
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return "text";
}

function inText(text: string, values: ReadonlyMap<string, string | number>): string {
  return text.replace(PLACEHOLDERS, (name) => String(values.get(name) ?? name));
}

function reveal(value: JsonValue, values: ReadonlyMap<string, string | number>): JsonValue {
  if (typeof value === "string") return values.get(value) ?? inText(value, values);
  if (Array.isArray(value)) return value.map((item) => reveal(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [inText(key, values), reveal(inner, values)]),
  );
}

const PLACEHOLDER = /\[\[sensitive-\d+\]\]/;

interface PlaceholderPlaces {
  readonly schema: JsonSchema;
  /** Readings of the message, with placeholders. */
  readonly before: readonly JsonValue[];
  /** Placeholders of values that stand at undeclared paths alone: whether they are sensitive is unknown. */
  readonly lost: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string | number>;
}

/**
 * Returns true if each placeholder of a model's repair stands where viewers do not read it: at a place that the
 * contract marks, or where the message has it. The value of an undeclared path may also go where the contract lists
 * its values or has a pattern for them, and it is such a value.
 */
function areInPlace(repaired: JsonValue, places: PlaceholderPlaces): boolean {
  const { schema, before } = places;
  const own = new Set(before.flatMap((reading) => shownIn(reading, schema)).map(keyOf));
  const fields = new Places(repaired, schema);
  return shownIn(repaired, schema).every((leaf) => {
    if (own.has(keyOf(leaf))) return true;
    const { value, path } = leaf;
    if (typeof value !== "string" || !places.lost.has(value) || PLACEHOLDER.test(path)) return false;
    const field = fields.schemaAt(leaf)?.schema ?? {};
    const isShaped = ["pattern", "enum", "const"].some((keyword) => keyword in field);
    return isShaped && validate(places.values.get(value) ?? null, field).length === 0;
  });
}

/** The leaves with placeholders that no mask covers. */
function shownIn(value: JsonValue, schema: JsonSchema): Leaf[] {
  return leavesOf(mapSensitive(value, schema, () => "")).filter(
    (leaf) => PLACEHOLDER.test(leaf.path) || (typeof leaf.value === "string" && PLACEHOLDER.test(leaf.value)),
  );
}
