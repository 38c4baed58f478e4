import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "../json-value.ts";
import { flatten, fromBoolean, schemaList } from "../schema/resolve.ts";
import { itemSchema } from "../schema/validate-array.ts";
import { memberSchema } from "../schema/validate-object.ts";
import { valueAt } from "./leaves.ts";
import { validateWithin } from "../schema/validate.ts";

/** What a contract says about one place of a value. */
export interface SchemaAt {
  readonly schema: JsonSchema;
  /** Whether this place or one above it is marked so. */
  readonly isLocked: boolean;
  readonly needsTwo: boolean;
}

/**
 * The schema of a place, following references and, of a union, the alternative that the value fits (else any
 * that declares the place). Undefined where the contract is closed and has no such place.
 */
export function schemaAt(value: JsonValue, steps: readonly string[], root: JsonSchema): SchemaAt | undefined {
  let at: SchemaAt = marked({ schema: root, isLocked: false, needsTwo: false }, root, root);
  let current: JsonValue | undefined = value;
  for (const step of steps) {
    const next = stepInto(at.schema, { value: current, step, root });
    if (next === undefined) return undefined;
    at = marked(at, next, root);
    current = valueAt(current, [step]);
  }
  const branch = branchOf(at.schema, { value: current, root });
  return branch === at.schema ? at : marked(at, branch, root);
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
}

function stepInto(schema: JsonSchema, { value, step, root }: Step): JsonSchema | undefined {
  const own = ownStep(schema, value, step);
  if (own !== undefined && Object.keys(own).length > 0) return own;
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 0) return own;
  const fitting = branchOf(schema, { value, root });
  const ordered = fitting === schema ? alternatives : [fitting, ...alternatives];
  const found = ordered
    .map((one) => stepInto(flatten(one, root), { value, step, root }))
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
  // A scalar's schema has no members; only an object's, or one that says nothing, is open.
  return rest === undefined ? {} : fromBoolean(rest);
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return [...schemaList(schema["anyOf"]), ...schemaList(schema["oneOf"])];
}

function branchOf(schema: JsonSchema, { value, root }: Omit<Step, "step">): JsonSchema {
  if (value === undefined) return schema;
  const fits = (one: JsonSchema): boolean =>
    validateWithin(value, one, { document: root, checksMax: 50_000, issuesMax: 1 }).issues.length === 0;
  const branch = alternativesOf(schema).find(fits);
  return branch === undefined ? schema : flatten(branch, root);
}
