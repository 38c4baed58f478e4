import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import { nameOf, placesOf } from "./json.ts";

/** What the editor reads of a JSON Schema. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly "x-locked"?: boolean;
}

/** References to references, and kinds within kinds. */
const DEPTH_MAX = 8;

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Returns all schemas that may apply at a place. @param root - A JSON Schema, as a contract states it. */
function schemasAt(root: unknown, pointer: string): readonly Schema[] {
  // Contracts are compiled when they are declared, so that one in a case is a schema.
  const whole = (typeof root === "object" && root !== null ? root : {}) as Schema;
  const kindsOf = (schema: Schema | undefined, depth = 0): readonly Schema[] => {
    if (schema === undefined || depth > DEPTH_MAX) return [];
    const { $ref = "", allOf = [], anyOf = [], oneOf = [] } = schema;
    const named = $ref === "#" ? whole : whole.$defs?.[$ref.replace("#/$defs/", "")];
    return [schema, ...[named, ...allOf, ...anyOf, ...oneOf].flatMap((one) => kindsOf(one, depth + 1))];
  };
  return stepsOf(pointer).reduce(
    (found, step) => found.flatMap((schema) => kindsOf(below(schema, step))),
    kindsOf(whole),
  );
}

function below({ properties, items, additionalProperties }: Schema, step: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step];
  if (/^\d+$/.test(step) && items !== undefined) return items;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Returns true where the contract lets no procedure write: only a person may. */
export function isLocked(root: unknown, pointer: string): boolean {
  const holders = stepsOf(pointer).map((_, at) => pointer.split("/", at + 2).join("/"));
  return holders.some((place) => schemasAt(root, place).some((schema) => schema["x-locked"] === true));
}

/** Completes names and values from a JSON Schema: names that the object lacks, listed values, defaults. */
export function completeFrom(root: unknown): CompletionSource {
  return ({ state, pos, explicit }) => {
    const holder = placesOf(state).findLast(
      ({ node }) => ["Object", "Array"].includes(node.name) && node.from < pos && pos <= node.to,
    );
    if (holder === undefined) return null;
    const before = state.sliceDoc(state.doc.lineAt(pos).from, pos);
    const [value, name = "", typed = ""] = /"((?:[^"\\]|\\.)*)"\s*:\s*("?[\w .-]*)$/.exec(before) ?? [];
    const word = value === undefined ? /(?:^|[{,\s])("?[\w$-]*)$/.exec(before)?.[1] : typed;
    if (word === undefined) return null;
    // The quote that the editor has closed by itself is written over.
    const range = { from: pos - word.length, to: state.sliceDoc(pos, pos + 1) === '"' ? pos + 1 : pos };
    if (value !== undefined)
      return { ...range, options: schemasAt(root, `${holder.pointer}/${name}`).flatMap(valuesOf) };
    if (holder.node.name !== "Object" || (word === "" && !explicit)) return null;
    const present = new Set(holder.node.getChildren("Property").map((one) => nameOf(state, one)));
    const options = schemasAt(root, holder.pointer).flatMap(namesOf);
    return { ...range, options: options.filter(({ displayLabel }) => !present.has(displayLabel ?? "")) };
  };
}

function namesOf({ properties = {}, required = [] }: Schema): readonly Completion[] {
  return Object.entries(properties).map(([name, schema]) => ({
    label: JSON.stringify(name),
    displayLabel: name,
    apply: `${JSON.stringify(name)}: `,
    detail: [schema.type, required.includes(name) && "required", schema["x-locked"] === true && "locked"]
      .filter((part) => typeof part === "string")
      .join(", "),
    ...(schema.description === undefined ? {} : { info: schema.description }),
    boost: required.includes(name) ? 1 : 0,
  }));
}

function valuesOf(schema: Schema): readonly Completion[] {
  const values = [
    ...(schema.enum ?? []),
    ...[schema.const, schema.default].filter((value) => value !== undefined),
    ...(schema.type === "boolean" ? [true, false] : []),
    ...(schema.type === "null" ? [null] : []),
  ];
  return [...new Set(values.map((value) => JSON.stringify(value)))].map((label) => ({ label }));
}
