import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { holderOf, nameOf } from "./syntax.ts";
import { schemasAt } from "./schema.ts";
import type { Schema } from "./schema.ts";

/** Completes names and values from a JSON Schema: names that the object lacks, listed values, defaults. */
export function completeFrom(root: unknown): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    const before = state.sliceDoc(line.from, pos);
    const holder = holderOf(state, pos);
    if (holder === null) return null;
    const value = /"((?:[^"\\]|\\.)*)"\s*:\s*("?[\w .-]*)$/.exec(before);
    const [, name = "", typed = ""] = value ?? [];
    if (value !== null) {
      const options = schemasAt(root, [...holder.steps, name]).flatMap(valuesOf);
      return options.length === 0
        ? null
        : { from: pos - typed.length, to: wordEnd(state.sliceDoc(pos, line.to), pos), options };
    }
    const word = /(^|[{,\s])("?[\w$-]*)$/.exec(before)?.[2];
    if (word === undefined || holder.node.name !== "Object" || (word === "" && !context.explicit))
      return null;
    const present = new Set(holder.node.getChildren("Property").map((one) => nameOf(state, one)));
    const options = schemasAt(root, holder.steps).flatMap((schema) => namesOf(schema, present));
    return { from: pos - word.length, to: wordEnd(state.sliceDoc(pos, line.to), pos), options };
  };
}

/** The quote that the editor has closed by itself is written over. */
const wordEnd = (after: string, position: number): number => position + (after.startsWith('"') ? 1 : 0);

function namesOf({ properties = {}, required = [] }: Schema, present: ReadonlySet<string>): Completion[] {
  return Object.entries(properties)
    .filter(([name]) => !present.has(name))
    .map(([name, schema]) => ({
      label: JSON.stringify(name),
      apply: `${JSON.stringify(name)}: `,
      type: "property",
      detail: [schema.type, required.includes(name) && "required", schema["x-locked"] === true && "locked"]
        .filter((part) => typeof part === "string")
        .join(", "),
      ...(schema.description === undefined ? {} : { info: schema.description }),
      boost: required.includes(name) ? 1 : 0,
    }));
}

function valuesOf(schema: Schema): Completion[] {
  const values: readonly unknown[] = [
    ...(schema.enum ?? []),
    ...("const" in schema ? [schema.const] : []),
    ...("default" in schema ? [schema.default] : []),
    ...(schema.type === "boolean" ? [true, false] : []),
    ...(schema.type === "null" ? [null] : []),
  ];
  return [...new Set(values.map((value) => JSON.stringify(value)))].map((label) => ({
    label,
    type: "constant",
  }));
}
