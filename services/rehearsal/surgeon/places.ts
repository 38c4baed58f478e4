import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";

/** Returns the value at a path; undefined for none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isRecord(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

/** Returns a copy with another value at a path; `undefined` removes a member. Unchanged without a parent. */
export function withValueAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => (String(index) === step ? withValueAt(item, rest, replacement) : item));
  }
  if (!isRecord(value)) return value;
  const changed = withValueAt(Object.hasOwn(value, step) ? value[step] : undefined, rest, replacement);
  const others = Object.entries(value).filter(([key]) => key !== step);
  return Object.fromEntries(changed === undefined ? others : [...others, [step, changed]]);
}

/** Returns the schema at a path, with references and unions resolved; null for none. */
export function schemaAt(root: JsonSchema, path: readonly string[]): JsonSchema | null {
  let schema = settle(root, root, path[0]);
  for (const [index, step] of path.entries()) {
    if (schema === null) return null;
    schema = settle(childOf(schema, step), root, path[index + 1]);
  }
  return schema;
}

function childOf(schema: JsonSchema, step: string): unknown {
  const { properties, items } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, step)) return properties[step];
  return schema["type"] === "array" && /^\d+$/.test(step) ? items : null;
}

/** Resolves references, and picks the branch of a union that has the next step, else the first that is not null. */
function settle(given: unknown, root: JsonSchema, nextStep: string | undefined): JsonSchema | null {
  let schema = given;
  for (let turn = 0; turn < 16; turn += 1) {
    if (!isRecord(schema)) return null;
    const reference = schema["$ref"];
    const branches = schema["anyOf"] ?? schema["oneOf"];
    if (typeof reference === "string") {
      const definitions = root["$defs"];
      schema = reference === "#" ? root : isRecord(definitions) ? definitions[reference.slice(8)] : null;
    } else if (Array.isArray(branches)) {
      const usable = branches.filter(isRecord).filter((branch) => branch["type"] !== "null");
      schema =
        usable.find((branch) => nextStep !== undefined && childOf(branch, nextStep) !== null) ?? usable[0];
    } else {
      return schema;
    }
  }
  return null;
}
