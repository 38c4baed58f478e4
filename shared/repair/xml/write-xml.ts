import type { JsonSchema } from "#shared/json";
import {
  alternativesOf,
  asSchema,
  cachedBy,
  flatten,
  isObject,
  membersOf,
  propertiesOf,
} from "#shared/schema";
import type { JsonValue } from "#shared/schema";

const DEPTH_MAX = 8;
const INDENT = "  ";
const NAME = /^[A-Za-z_][\w.-]*$/;

/** Writes a model's instructions for an answer in XML: the elements, and the rules of `readXmlAnswer`. */
export function writeXmlForm(schema: JsonSchema): string {
  const skeleton = lines({ name: ROOT_NAME, schema, root: schema, depth: 0, note: "" });
  return [
    "Answer with XML of this form and nothing else:",
    "",
    ...skeleton,
    "",
    `Repeat <${ITEM_NAME}> for each item of a list. Leave out what you do not know, if it may be left out.`,
    'Put code, and any text that has < or & or line breaks, between <![CDATA[ and ]]>. Write <name nil="true"/> for null.',
  ].join("\n");
}

interface ElementContext {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly depth: number;
  readonly note: string;
}

function lines({ name, schema, root, depth, note }: ElementContext): string[] {
  const part = partOf(schema, root);
  const pad = INDENT.repeat(depth);
  const notes = [note, part.description].filter((words) => words !== "").join("; ");
  const comment = notes === "" ? "" : ` <!-- ${notes.replaceAll("--", "- ")} -->`;
  const inner = depth >= DEPTH_MAX ? [] : innerLines(part, { root, depth: depth + 1 });
  if (inner.length === 0) return [`${pad}<${name}>${wordsFor(part)}</${closing(name)}>${comment}`];
  return [`${pad}<${name}>${comment}`, ...inner, `${pad}</${closing(name)}>`];
}

function innerLines(part: SchemaPart, at: Pick<ElementContext, "root" | "depth">): string[] {
  if (part.type === "array") return lines({ ...at, name: ITEM_NAME, schema: part.inner, note: "" });
  if (part.type !== "object") return [];
  if (part.properties.size === 0)
    return lines({ ...at, name: `${ENTRY_NAME} name="…"`, schema: part.inner, note: "" });
  return [...part.properties].flatMap(([key, schema]) =>
    lines({
      ...at,
      name: NAME.test(key) ? key : `${ENTRY_NAME} name="${key}"`,
      schema,
      note: part.required.has(key) ? "" : "may be left out",
    }),
  );
}

function closing(name: string): string {
  return name.split(" ", 1)[0] ?? name;
}

function wordsFor({ type, enumerated, isNullable }: SchemaPart): string {
  if (enumerated.length > 0) return enumerated.map(String).join(" | ");
  const word = {
    string: "text",
    number: "number",
    boolean: "true | false",
    null: "",
    any: "text",
    object: "",
    array: "",
  }[type];
  return isNullable ? `${word} or null` : word;
}

/** Element of a whole answer, and of each list item. */
const ROOT_NAME = "answer";
export const ITEM_NAME = "item";
/** Element of a member whose name is no XML name. */
export const ENTRY_NAME = "entry";

/** Text that needs no CDATA or entities. */
const PLAIN = /^[^\s<>&\]](?:[^<>&\]\r\n]*[^\s<>&\]])?$/;

/** Writes a JSON value as XML that `readXmlAnswer` reads. */
export function writeXml(value: JsonValue): string {
  return element({ name: ROOT_NAME, value });
}

function element({
  name,
  value,
  attributes = "",
}: {
  readonly name: string;
  readonly value: JsonValue;
  readonly attributes?: string;
}): string {
  if (value === null) return `<${name}${attributes} nil="true"/>`;
  return `<${name}${attributes}>${contentOf(value)}</${name}>`;
}

function contentOf(value: Exclude<JsonValue, null>): string {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map((item) => element({ name: ITEM_NAME, value: item })).join("");
  return Object.entries(value)
    .map(([key, inner]) => {
      const isName = NAME.test(key) && key !== ENTRY_NAME;
      return isName
        ? element({ name: key, value: inner })
        : element({ name: ENTRY_NAME, value: inner, attributes: ` name="${escaped(key)}"` });
    })
    .join("");
}

function textOf(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The parts of a schema that decide its XML form. */
export interface SchemaPart {
  readonly type: "object" | "array" | "string" | "number" | "boolean" | "null" | "any";
  readonly isNullable: boolean;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Schema of a list's items, or of undeclared members. */
  readonly inner: JsonSchema;
  /** Enum values that a text can stand for. */
  readonly enumerated: readonly (string | number | boolean)[];
  readonly description: string;
}

/** Cached, because every element of an answer asks. */
const partsIn = cachedBy((root: JsonSchema) => cachedBy((schema: JsonSchema) => readPart(schema, root)));

/** Reads one schema with references resolved. Merges the members of alternatives. */
export function partOf(schema: JsonSchema, root: JsonSchema): SchemaPart {
  return partsIn(root)(schema);
}

function readPart(schema: JsonSchema, root: JsonSchema): SchemaPart {
  const flat = flatten(schema, root);
  const alternatives = alternativesOf(flat).map((one) => flatten(one, root));
  const real = alternatives.filter((one) => one["type"] !== "null" && one["const"] !== null);
  const types = typesOf(flat, real);
  const all = real.length === 0 ? [flat] : [flat, ...real];
  const [first] = real;
  const own = real.length === 1 && first !== undefined ? first : flat;
  return {
    type: types.find((type) => type !== "null") ?? (types.includes("null") ? "null" : "any"),
    isNullable: types.includes("null") || alternatives.length > real.length,
    properties: new Map(
      all.toReversed().flatMap((one) => Object.entries(propertiesOf(one)).flatMap(asEntry)),
    ),
    required: new Set(
      all.flatMap((one) => (Array.isArray(one["required"]) ? one["required"].map(String) : [])),
    ),
    inner: asSchema(own["items"]) ?? asSchema(own["additionalProperties"]) ?? {},
    enumerated: (membersOf(own) ?? []).filter(
      (one) => typeof one === "string" || typeof one === "number" || typeof one === "boolean",
    ),
    description: typeof flat["description"] === "string" ? flat["description"] : "",
  };
}

function asEntry([name, schema]: [string, unknown]): [string, JsonSchema][] {
  return isObject(schema) ? [[name, schema]] : [];
}

const TYPES = ["object", "array", "string", "number", "boolean", "null"] as const;

/** All allowed types; an integer is a number, an enum value has its own type. */
function typesOf(flat: JsonSchema, real: readonly JsonSchema[]): SchemaPart["type"][] {
  const named = [flat, ...real].flatMap((one) => [one["type"]].flat());
  const values = [flat, ...real].flatMap((one) => membersOf(one) ?? []).map(typeOfValue);
  return [...named.map((type) => (type === "integer" ? "number" : type)), ...values].flatMap(
    (type) => TYPES.find((known) => known === type) ?? [],
  );
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
