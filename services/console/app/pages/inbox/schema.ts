/** What the editor reads of a JSON Schema. */
export interface Schema {
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
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly "x-locked"?: boolean;
}

/** References to references, and kinds within kinds. */
const DEPTH_MAX = 8;

/** Returns all schemas that may apply at a place. @param root - A JSON Schema, as a contract states it. */
export function schemasAt(root: unknown, steps: readonly string[]): readonly Schema[] {
  // Contracts are compiled when they are declared, so that one in a case is a schema.
  const whole = (typeof root === "object" && root !== null ? root : {}) as Schema;
  return steps.reduce(
    (found, step) => found.flatMap((schema) => kindsOf(whole, below(schema, step), 0)),
    kindsOf(whole, whole, 0),
  );
}

function below({ properties, items, additionalProperties }: Schema, step: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step];
  if (/^\d+$/.test(step) && items !== undefined) return items;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function kindsOf(root: Schema, schema: Schema | undefined, depth: number): readonly Schema[] {
  if (schema === undefined || depth > DEPTH_MAX) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const named = $ref === undefined ? undefined : resolve(root, $ref);
  return [schema, ...[named, ...allOf, ...anyOf, ...oneOf].flatMap((one) => kindsOf(root, one, depth + 1))];
}

function resolve(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: unknown = root;
  for (const step of reference.split("/").slice(1))
    // Members of what is an object are read by their names.
    at = typeof at === "object" && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
  // As the root is a schema, what it refers to is one.
  return at as Schema | undefined;
}

/** Returns true where the contract lets no procedure write: only a person may. */
export function isLocked(root: unknown, pointer: string): boolean {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.some((_, at) =>
    schemasAt(root, steps.slice(0, at + 1)).some((schema) => schema["x-locked"] === true),
  );
}
