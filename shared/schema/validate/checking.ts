import type { JsonSchema } from "#shared/json";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "../json-value.ts";
import { below } from "../pointer.ts";

/** State of a validation: the document for references, and the remaining limits. */
export interface Checking {
  readonly root: JsonSchema;
  left: number;
  depth: number;
  /** Number of issues after which containers are not descended into. */
  readonly issuesMax: number;
  /** Cached results for containers within the same call. */
  readonly verdicts?: Verdicts | undefined;
  readonly check: (value: JsonValue, schema: JsonSchema, path: string) => Issue[];
}

/** Cached validity of immutable values, by schema. */
export type Verdicts = Map<object, Map<JsonSchema, boolean>>;

/** Appends issues; a fast path for none. */
export function addIssues(issues: Issue[], more: readonly Issue[]): void {
  if (more.length > 0) for (const issue of more) issues.push(issue);
}

/** As `below`, but skips building paths when only validity is asked for, which is costly for a million nodes. */
export function pathBelow({ verdicts }: Checking, path: string, key: string | number): string {
  return verdicts === undefined ? below(path, key) : path;
}
