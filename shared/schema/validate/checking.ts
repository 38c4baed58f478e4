import type { JsonSchema } from "#shared/contract";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "../json-value.ts";
import { below } from "../pointer.ts";

/** What every check needs: the document for references, and what is left of the bounds. */
export interface Checking {
  readonly root: JsonSchema;
  left: number;
  depth: number;
  /** Issues after which lists and objects are looked at no further. */
  readonly issuesMax: number;
  /** Containers found to satisfy a schema, or not, by earlier checks of the same call. */
  readonly verdicts?: Verdicts | undefined;
  readonly check: (value: JsonValue, schema: JsonSchema, path: string) => Issue[];
}

/** What is known of values that do not change any more: whether each satisfies the schemas it was held against. */
export type Verdicts = Map<object, Map<JsonSchema, boolean>>;

/** Adds what a part was found to lack; hardly any part lacks anything. */
export function addIssues(issues: Issue[], more: readonly Issue[]): void {
  if (more.length > 0) for (const issue of more) issues.push(issue);
}

/** As `below`; where only verdicts are asked for nobody reads a path, and a million of them take their time. */
export function pathBelow({ verdicts }: Checking, path: string, key: string | number): string {
  return verdicts === undefined ? below(path, key) : path;
}
