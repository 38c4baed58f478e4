import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { escapeHidden, escapeStep, readJson, stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import {
  alternativesOf,
  asSchema,
  flatten,
  itemSchema,
  memberSchema,
  membersOf,
  propertiesOf,
  requiredOf,
} from "#shared/schema";

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
  if (readJson(text) === undefined) return text;
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
        add(child.lastChild, `${pointer}/${escapeStep(nameOf(state, child))}`, child.from);
      } else if (node.name === "Array" && !["[", "]", ",", "⚠"].includes(child.name)) {
        add(child, `${pointer}/${index}`, child.from);
        index += 1;
      }
  };
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS_MAX) ?? syntaxTree(state);
  add(tree.topNode.firstChild, "", 0);
  return places;
}

/** Returns the schemas that may apply at a place: the contract's own, and in a union its alternatives. */
function schemasAt(contract: unknown, pointer: string): readonly JsonSchema[] {
  const root = asSchema(contract) ?? {};
  const open = (schema: JsonSchema = {}): readonly JsonSchema[] => {
    const whole = flatten(schema, root);
    return [whole, ...alternativesOf(whole).map((one) => flatten(one, root))];
  };
  const below = (one: JsonSchema, step: string) =>
    memberSchema(one, step) ?? itemSchema(one, Number(step)) ?? asSchema(one["additionalProperties"]);
  return stepsOf(pointer).reduce((found, step) => found.flatMap((one) => open(below(one, step))), open(root));
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

function namesOf(schema: JsonSchema): readonly Completion[] {
  const required = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const { type, description, "x-locked": isLockedHere } = asSchema(member) ?? {};
    const details = [type, required.includes(name) && "required", isLockedHere === true && "locked"];
    return {
      label: JSON.stringify(name),
      displayLabel: name,
      apply: `${JSON.stringify(name)}: `,
      detail: details.filter((part) => typeof part === "string").join(", "),
      ...(typeof description === "string" && { info: description }),
      boost: Number(required.includes(name)),
    };
  });
}

function valuesOf(schema: JsonSchema): readonly Completion[] {
  const types: Readonly<Record<string, readonly unknown[]>> = { boolean: [true, false], null: [null] };
  const values = [...(membersOf(schema) ?? []), schema["default"], ...(types[String(schema["type"])] ?? [])];
  const labels = values.flatMap((value) => (value === undefined ? [] : JSON.stringify(value)));
  return [...new Set(labels)].map((label) => ({ label }));
}
