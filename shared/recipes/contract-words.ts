import type { JsonSchema } from "#shared/json";
import { below, enumOf, isEmptyContainer, isListedIn, isSameJson } from "#shared/schema";
import type { JsonValue, SchemaAt } from "#shared/schema";
import type { Change } from "./change.ts";

/** Cost of one contract lookup, in comparisons: a union validates the value against each alternative. */
const LOOK_COST = 50;

function at({ derivation, steps }: Change, key: string | null): SchemaAt | undefined {
  const { contract, work } = derivation;
  work.left -= LOOK_COST;
  if (contract === undefined || work.left < 0) return undefined;
  const all = key === null ? steps : [...steps, key];
  return contract.places.schemaAt({ path: all.reduce(below, ""), steps: all });
}

/** Returns true for a member that a closed contract does not declare, so that it may be removed. */
export function isUndeclared(change: Change, key: string): boolean {
  return (
    change.derivation.contract !== undefined &&
    at(change, key) === undefined &&
    change.derivation.work.left >= 0
  );
}

/** Returns true for a member's declared default. An empty container holds no fact. */
export function isDefault(change: Change, key: string): boolean {
  const { contract } = change.derivation;
  const place = at(change, key);
  if (contract === undefined || place === undefined) return false;
  const value = valueOf(change.after, key);
  return value !== undefined && isDeclaredDefault(value, place.schema, contract.schema);
}

/** Returns true for a declared default, the only allowed value, or an empty container. */
export function isDeclaredDefault(value: JsonValue, schema: JsonSchema, root: JsonSchema): boolean {
  if ("default" in schema && isSameJson(value, schema["default"])) return true;
  const members = enumOf(schema, root);
  return members === undefined
    ? isEmptyContainer(value)
    : members.length === 1 && isSameJson(value, members[0]);
}

/** Returns true for an enum member or a boolean. */
export function isListed(change: Change): boolean {
  const { contract } = change.derivation;
  const place = at(change, null);
  if (contract === undefined || place === undefined) return false;
  return isListedIn(change.after, place.schema, contract.schema);
}

function valueOf(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
