import { pointerStep } from "#shared/contract";
import type { JsonSchema } from "#shared/contract";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "../json-value.ts";

/** What every check needs: the document for references, and what is left of the bounds. */
export interface Checking {
  readonly root: JsonSchema;
  left: number;
  depth: number;
  readonly check: (value: JsonValue, schema: JsonSchema, path: string) => Issue[];
}

/** Path of a member or item below `path`. */
export function below(path: string, key: string | number): string {
  return path + pointerStep(key);
}
