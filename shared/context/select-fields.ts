import { stepsOf } from "#shared/json";
import { ContextDefinitionError } from "./errors.ts";

/** Selected fields: a tree of names, `true` for everything below. */
type Wanted = true | Map<string, Wanted>;

export interface Selected {
  /** The selected fields, in the value's form. */
  readonly value: unknown;
  /** Pointers without a value; those through `*` never count. */
  readonly missing: readonly string[];
}

/**
 * Selects fields of a JSON value. Lists keep their order.
 * @param pointers - JSON pointers (RFC 6901); the step `*` stands for every item of a list or member of an object.
 * `""` is the whole value.
 * @throws {ContextDefinitionError} A pointer is malformed.
 */
export function selectFields(value: unknown, pointers: readonly string[]): Selected {
  const paths = pointers.map(readSteps);
  const wanted = plan(paths);
  return {
    value: wanted === true ? value : pick(value, wanted),
    missing: pointers.filter((_, index) => !leadsSomewhere(value, paths[index] ?? [])),
  };
}

function readSteps(pointer: string): string[] {
  if (pointer !== "" && !pointer.startsWith("/"))
    throw new ContextDefinitionError(`${pointer} is no JSON pointer`);
  return stepsOf(pointer);
}

function plan(paths: readonly (readonly string[])[]): Wanted {
  if (paths.some((path) => path.length === 0)) return true;
  const byStep = Map.groupBy(paths, (path) => path[0] ?? "");
  return new Map([...byStep].map(([step, same]) => [step, plan(same.map((path) => path.slice(1)))]));
}

function pick(value: unknown, wanted: Map<string, Wanted>): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      const inner = wanted.get(String(index)) ?? wanted.get("*");
      return inner === undefined ? [] : [inner === true ? item : pick(item, inner)];
    });
  }
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).flatMap(([key, item]: [string, unknown]): [string, unknown][] => {
    const inner = wanted.get(key) ?? wanted.get("*");
    if (inner === undefined) return [];
    // A pointer below a scalar selects nothing.
    if (inner !== true && (typeof item !== "object" || item === null)) return [];
    return [[key, inner === true ? item : pick(item, inner)]];
  });
  return Object.fromEntries(entries);
}

function leadsSomewhere(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return value !== undefined;
  if (step === "*") return true;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
  return leadsSomewhere(Object.entries(value).find(([key]) => key === step)?.[1], rest);
}
