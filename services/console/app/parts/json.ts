import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { escapeHidden, parseJson } from "./text.ts";

const PARSE_MS_MAX = 200;
const BETWEEN = new Set<string | undefined>(["{", "}", "[", "]", ",", ":", undefined]);

/** Returns JSON text without the space around its marks. Nothing is parsed: what is wrong in it stays. */
export function compact(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (part, at: number) =>
    part[0] !== '"' && (BETWEEN.has(text[at - 1]) || BETWEEN.has(text[at + part.length])) ? "" : part,
  );
}

/** Returns JSON text for people to edit: indented, digits as written, what cannot be seen escaped; else the text. */
export function indent(text: string): string {
  if (parseJson(text) === undefined) return text;
  let depth = 0;
  const lines = compact(text).replaceAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (mark) => {
    if (mark === ":") return ": ";
    depth += { "{": 1, "[": 1, "}": -1, "]": -1 }[mark] ?? 0;
    const line = `\n${"  ".repeat(depth)}`;
    if (mark === "}" || mark === "]") return line + mark;
    return mark === "{" || mark === "[" || mark === "," ? mark + line : mark;
  });
  return escapeHidden(lines);
}

type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

/** A value of JSON text, by its JSON pointer. */
export interface Place {
  readonly pointer: string;
  readonly node: SyntaxNode;
  /** Start of its name, or of the value itself. */
  readonly from: number;
}

/** Returns the name of a property as it is written. */
function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  return name === null ? "" : state.sliceDoc(name.from + 1, name.to - 1);
}

/** Returns all values of JSON text; each before those that it holds. */
export function placesOf(state: EditorState): readonly Place[] {
  const places: Place[] = [];
  const add = (node: SyntaxNode | null, pointer: string, from: number): void => {
    if (node === null) return;
    places.push({ pointer, node, from });
    let index = 0;
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.name === "Property") {
        const name = nameOf(state, child).replaceAll("~", "~0").replaceAll("/", "~1");
        add(child.lastChild, `${pointer}/${name}`, child.from);
      } else if (node.name === "Array" && !["[", "]", ",", "⚠"].includes(child.name)) {
        add(child, `${pointer}/${index}`, child.from);
        index += 1;
      }
  };
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS_MAX) ?? syntaxTree(state);
  add(tree.topNode.firstChild, "", 0);
  return places;
}

/** The part of a JSON Schema that the editor reads. */
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
  const steps = pointer.split("/").slice(1);
  return steps.reduce((found, step) => found.flatMap((one) => kindsOf(below(one, step))), kindsOf(whole));
}

function below({ properties = {}, items, additionalProperties }: Schema, step: string): Schema | undefined {
  const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
  if (Object.hasOwn(properties, name)) return properties[name];
  if (/^\d+$/.test(step) && items !== undefined) return items;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Returns true where the contract lets no procedure write: only a person may. */
export function isLocked(root: unknown, pointer: string): boolean {
  const holders = pointer.split("/").map((_, at, steps) => steps.slice(0, at + 1).join("/"));
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
