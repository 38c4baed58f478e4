import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { canonical, valueAt } from "./json-value.ts";
import type { JsonValue, Leaf } from "./json-value.ts";
import { alternativesOf, enumOf, flatten, fromBoolean } from "./resolve.ts";
import { itemSchema, memberSchema } from "./validate/validate-values.ts";
import { validateWithin } from "./validate/validate.ts";

/** The contract at one path of a value. */
export interface SchemaAt {
  readonly schema: JsonSchema;
  /** True when this path or one above is locked. */
  readonly isLocked: boolean;
  readonly needsTwo: boolean;
}

interface Found {
  readonly at: SchemaAt;
  readonly value: JsonValue | undefined;
}

/** Looks up the contract at paths of one value. Caches by container. */
export class Places {
  private readonly value: JsonValue;
  private readonly root: JsonSchema;
  private readonly above = new Map<string, Found | undefined>();
  private readonly branches: Branches = new Map();

  constructor(value: JsonValue, root: JsonSchema) {
    this.value = value;
    this.root = root;
  }

  /** Returns the schema at a leaf, of the alternative that the value fits; undefined where it is not declared. */
  schemaAt({ path, steps }: Pick<Leaf, "path" | "steps">): SchemaAt | undefined {
    const found = this.find(path, steps);
    if (found === undefined) return undefined;
    const { at, value } = found;
    const branch = branchOf(at.schema, { value, root: this.root, branches: this.branches });
    return branch === at.schema ? at : marked(at, branch, this.root);
  }

  /** The values that a union's alternatives have at a leaf's place; undefined where there is no choice. */
  choicesAt({ path, steps }: Pick<Leaf, "path" | "steps">): JsonSchema | undefined {
    const step = steps.at(-1);
    const parent = this.find(path.slice(0, path.lastIndexOf("/")), steps.slice(0, -1));
    if (step === undefined || parent === undefined) return undefined;
    const listed = alternativesOf(parent.at.schema).flatMap((one) => {
      const member = memberSchema(flatten(one, this.root), step);
      return (member && enumOf(flatten(member, this.root), this.root)) ?? [];
    });
    const values = new Map(listed.map((value) => [canonical(value), value]));
    return values.size > 1 ? { enum: [...values.values()] } : undefined;
  }

  private find(path: string, steps: readonly string[]): Found | undefined {
    const { root, branches } = this;
    const step = steps.at(-1);
    if (step === undefined)
      return {
        at: marked({ schema: root, isLocked: false, needsTwo: false }, root, root),
        value: this.value,
      };
    const parentPath = path.slice(0, path.lastIndexOf("/"));
    if (!this.above.has(parentPath)) this.above.set(parentPath, this.find(parentPath, steps.slice(0, -1)));
    const parent = this.above.get(parentPath);
    if (parent === undefined) return undefined;
    const next = stepInto(parent.at.schema, { value: parent.value, step, root, branches });
    if (next === undefined) return undefined;
    return { at: marked(parent.at, next, root), value: valueAt(parent.value, [step]) };
  }
}

function marked(above: SchemaAt, schema: JsonSchema, root: JsonSchema): SchemaAt {
  const flat = flatten(schema, root);
  const isLocked = above.isLocked || flat["x-locked"] === true;
  return { schema: flat, isLocked, needsTwo: above.needsTwo || flat["x-two-person"] === true };
}

interface Step {
  readonly value: JsonValue | undefined;
  readonly step: string;
  readonly root: JsonSchema;
  readonly branches: Branches;
}

/** The alternative that each container fits, by schema. */
type Branches = Map<object, Map<JsonSchema, JsonSchema>>;

function stepInto(schema: JsonSchema, { value, step, root, branches }: Step): JsonSchema | undefined {
  const own = ownStep(schema, value, step);
  if (own !== undefined && Object.keys(own).length > 0) return own;
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 0) return own;
  const fitting = branchOf(schema, { value, root, branches });
  const ordered = fitting === schema ? alternatives : [fitting, ...alternatives];
  const found = ordered
    .map((one) => stepInto(flatten(one, root), { value, step, root, branches }))
    .find((one) => one !== undefined);
  return found ?? own;
}

function ownStep(schema: JsonSchema, value: JsonValue | undefined, step: string): JsonSchema | undefined {
  if (Array.isArray(value)) return itemSchema(schema, Number(step)) ?? {};
  const declared = memberSchema(schema, step);
  if (declared !== undefined) return declared;
  const rest =
    schema["additionalProperties"] ?? (schema["unevaluatedProperties"] === false ? false : undefined);
  if (rest === false) return undefined;
  // Only an object's schema, or an unrestricted one, is open.
  return rest === undefined ? {} : fromBoolean(rest);
}

function branchOf(schema: JsonSchema, { value, root, branches }: Omit<Step, "step">): JsonSchema {
  const alternatives = value === undefined ? [] : alternativesOf(schema);
  if (value === undefined || alternatives.length === 0) return schema;
  const isContainer = typeof value === "object" && value !== null;
  const before = isContainer ? branches.get(value)?.get(schema) : undefined;
  if (before !== undefined) return before;
  const fits = (one: JsonSchema): boolean =>
    validateWithin(value, one, { document: root, checksMax: 50_000, issuesMax: 1 }).faults.length === 0;
  const branch = alternatives.find(fits);
  const found = branch === undefined ? schema : flatten(branch, root);
  if (!isContainer) return found;
  kept(branches, value, () => new Map()).set(schema, found);
  return found;
}
