import { isObject, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { factsOf } from "./contract.ts";
import type { Facts, Part } from "./contract.ts";

export type Path = readonly (string | number)[];

/** A value inside an answer, with the schema node that speaks of it. */
export interface Site {
  readonly path: Path;
  readonly value: JsonValue;
  /** Of a union the branch that the value satisfies. */
  readonly part: Part;
  readonly facts: Facts;
  readonly isNullable: boolean;
  /** The object or list that holds it; undefined for the answer itself. */
  readonly holder: Site | undefined;
}

/** Lists all values of an answer, outer ones first. */
export function sitesOf(answer: JsonValue, part: Part): Site[] {
  const sites: Site[] = [];
  const visit = (value: JsonValue, declared: Part, { path, holder }: Pick<Site, "path" | "holder">): void => {
    const settled = settledPart(value, declared);
    const site: Site = {
      path,
      value,
      part: settled,
      facts: { ...factsOf(declared), ...factsOf(settled) },
      isNullable: validate(null, schemaNode(declared)).length === 0,
      holder,
    };
    sites.push(site);
    if (Array.isArray(value))
      for (const [index, item] of value.entries())
        visit(item, node(settled["items"]), { path: [...path, index], holder: site });
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value))
        visit(inner, memberOf(settled, name), { path: [...path, name], holder: site });
  };
  visit(answer, part, { path: [], holder: undefined });
  return sites;
}

/** The declared member of an object's node, or what it says of others. */
export function memberOf(part: Part, name: string): Part {
  const properties = node(part["properties"]);
  return Object.hasOwn(properties, name) ? node(properties[name]) : node(part["additionalProperties"]);
}

export function propertiesOf(part: Part): Record<string, Part> {
  return Object.fromEntries(
    Object.keys(node(part["properties"])).map((name) => [name, memberOf(part, name)]),
  );
}

export const requiredOf = (part: Part): readonly string[] =>
  Array.isArray(part["required"]) ? part["required"].map(String) : [];

export const isClosed = (part: Part): boolean => part["additionalProperties"] === false;

export const enumOf = (part: Part): readonly string[] =>
  Array.isArray(part["enum"]) ? part["enum"].map(String) : [];

/** Whether the site is a member that the contract names, and not the key of a map. */
export function isDeclared({ path, holder }: Site): boolean {
  const name = path.at(-1);
  return (
    holder !== undefined && typeof name === "string" && Object.hasOwn(node(holder.part["properties"]), name)
  );
}

export function isRequired({ path, holder }: Site): boolean {
  return holder !== undefined && requiredOf(holder.part).includes(String(path.at(-1)));
}

export const isNumber = ({ value, part }: Site): boolean =>
  typeof value === "number" && part["enum"] === undefined;

export const isWhole = (site: Site): boolean => isNumber(site) && site.part["type"] === "integer";

export const isDate = ({ part }: Site): boolean => part["format"] === "date";

/** Whether it is text with no further rule, so that its characters must come back unaltered. */
export const isFreeText = ({ value, part }: Site): boolean =>
  typeof value === "string" &&
  part["enum"] === undefined &&
  part["const"] === undefined &&
  part["format"] === undefined &&
  part["pattern"] === undefined;

/** The text of a value without the quotation marks of JSON. */
export const wordOf = (value: JsonValue): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A copy of the answer in which one value is another; undefined takes the member away. */
export function withValue(answer: JsonValue, path: Path, value: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (Array.isArray(answer))
    return answer.flatMap((item, index) => {
      if (index !== step) return [item];
      return rest.length === 0 && value === undefined ? [] : [withValue(item, rest, value)];
    });
  if (!isObject(answer)) return answer;
  const members: [string, JsonValue][] = Object.entries(answer).flatMap(([name, inner]) => {
    if (name !== step) return [[name, inner]];
    if (rest.length > 0) return [[name, withValue(inner, rest, value)]];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

/** A copy of the answer in which one member has another name, at the same position. */
export function withName(answer: JsonValue, path: Path, name: string): JsonValue | undefined {
  const holder = valueAt(answer, path.slice(0, -1));
  if (!isObject(holder) || Object.hasOwn(holder, name)) return undefined;
  const renamed: [string, JsonValue][] = Object.entries(holder).map(([key, inner]) => [
    key === path.at(-1) ? name : key,
    inner,
  ]);
  return withValue(answer, path.slice(0, -1), Object.fromEntries(renamed));
}

function valueAt(answer: JsonValue, path: Path): JsonValue {
  return path.reduce<JsonValue>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)] ?? null;
    return isObject(value) ? (value[step] ?? null) : null;
  }, answer);
}

/** The node that speaks of the value: of a union the branch that the value satisfies. */
export function settledPart(value: JsonValue, part: Part): Part {
  const branches = part["oneOf"] ?? part["anyOf"];
  if (!Array.isArray(branches)) return part;
  const fitting: unknown = branches.find((branch) => validate(value, schemaNode(node(branch))).length === 0);
  return fitting === undefined ? part : settledPart(value, node(fitting));
}

/** Nodes are written by hand in contracts/, where the compiler holds them to `Part`. */
function node(value: unknown): Part {
  // Booleans and absent nodes say nothing.
  return typeof value === "object" && value !== null ? (value as Part) : {};
}

/** Symbols make no difference to the validator. */
function schemaNode(part: Part): Readonly<Record<string, unknown>> {
  return part;
}
