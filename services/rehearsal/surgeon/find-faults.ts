import { z } from "zod";
import { toIssues } from "#shared/contract";
import type { JsonSchema } from "#shared/json";
import { isRecord, stepsOf } from "#shared/json";
import { valueAt } from "./pointer.ts";
import { schemaAt } from "./schema-at.ts";

/** One fault of a value, as in the surgeon's question. */
export interface Problem {
  readonly path: string;
  readonly code: string;
}

/** Validates a value; null for schemas that cannot be checked here. */
export function findFaults(value: unknown, schema: JsonSchema): readonly Problem[] | null {
  try {
    const parsed = z.fromJSONSchema(schema).safeParse(value);
    return parsed.success ? [] : toIssues(parsed.error).flatMap((issue) => insideUnion(issue, value, schema));
  } catch {
    return null;
  }
}

/** Replaces "no branch fits" by the faults of the closest branch. */
function insideUnion(issue: Problem, value: unknown, root: JsonSchema): readonly Problem[] {
  if (issue.code !== "invalid_union") return [issue];
  const path = stepsOf(issue.path);
  const branches = branchesAt(root, path);
  const inner = valueAt(value, path);
  const faults = branches
    .filter((branch) => isRecord(inner) && hasConstants(branch, inner))
    .map((branch) => z.fromJSONSchema(withDefinitions(branch, root)).safeParse(inner))
    .flatMap((parsed) => (parsed.success ? [] : [toIssues(parsed.error, issue.path)]))
    .toSorted((a, b) => a.length - b.length)[0];
  return faults ?? [issue];
}

function withDefinitions(branch: JsonSchema, root: JsonSchema): JsonSchema {
  return "$defs" in root ? { ...branch, $defs: root["$defs"] } : branch;
}

function branchesAt(root: JsonSchema, path: readonly string[]): readonly JsonSchema[] {
  const parent = path.length === 0 ? null : schemaAt(root, path.slice(0, -1));
  const properties = parent?.["properties"];
  const schema = path.length === 0 ? root : isRecord(properties) ? properties[path.at(-1) ?? ""] : null;
  const branches = isRecord(schema) ? (schema["anyOf"] ?? schema["oneOf"]) : null;
  return Array.isArray(branches) ? branches.filter(isRecord) : [];
}

/** Returns true when the value has a branch's constants. */
function hasConstants({ properties }: JsonSchema, value: { readonly [key: string]: unknown }): boolean {
  if (!isRecord(properties)) return false;
  return Object.entries(properties).every(
    ([key, property]) => !isRecord(property) || !("const" in property) || property["const"] === value[key],
  );
}
