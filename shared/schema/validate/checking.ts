import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "../json-value.ts";
import { below } from "../pointer.ts";

/** A keyword that a value breaks; `limit` where the checks ended before the value did. */
export type Breakable =
  | "limit"
  | "type"
  | "const"
  | "enum"
  | "required"
  | "additionalProperties"
  | "minProperties"
  | "maxProperties"
  | "dependentRequired"
  | "minItems"
  | "maxItems"
  | "uniqueItems"
  | "minContains"
  | "maxContains"
  | "minLength"
  | "maxLength"
  | "format"
  | "pattern"
  | "minimum"
  | "maximum"
  | "exclusiveMinimum"
  | "exclusiveMaximum"
  | "multipleOf"
  | "$ref"
  | "anyOf"
  | "oneOf"
  | "not";

/** What a value breaks, and where. `issueOf` says it in words; most callers ask only whether there is any. */
export interface Fault {
  readonly path: string;
  readonly keyword: Breakable;
  /** What the words name besides: the expected type, the format, how a pattern failed, how many alternatives fit. */
  readonly detail?: unknown;
}

/** State of a validation: the document for references, and the remaining limits. */
export interface Checking {
  readonly root: JsonSchema;
  left: number;
  depth: number;
  /** Number of faults after which containers are not descended into. */
  readonly issuesMax: number;
  /** Cached results for containers within the same call. */
  readonly verdicts?: Verdicts | undefined;
  readonly check: (value: JsonValue, schema: JsonSchema, path: string) => Fault[];
}

/** Cached faults of immutable values, by schema. */
export type Verdicts = Map<object, Map<JsonSchema, Fault[]>>;

/** Appends faults; a fast path for none. */
export function addFaults(faults: Fault[], more: readonly Fault[]): void {
  if (more.length > 0) for (const fault of more) faults.push(fault);
}

/** As `below`, but skips building paths when only validity is asked for, which is costly for a million nodes. */
export function pathBelow({ verdicts }: Checking, path: string, key: string | number): string {
  return verdicts === undefined ? below(path, key) : path;
}
