import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { flatten, fromBoolean, propertiesOf } from "#shared/schema";
import type { Entry } from "../read/tree.ts";
import type { Fit } from "./fit.ts";
import { folded } from "./match-words.ts";
import { groupBy } from "../group-by.ts";

/** Nests `person.name` and `person_email` under `person`, when the contract knows only that name. */
export function nestPaths(
  entries: readonly Entry[],
  { fit, properties, root }: { fit: Fit; properties: JsonSchema; root: JsonSchema },
): Entry[] | undefined {
  if (fit.schema["additionalProperties"] !== false) return undefined;
  const joined = joinedNames(properties, root);
  const pathOf = ({ key }: Entry): [head: string, rest: string] | undefined => {
    if (Object.hasOwn(properties, key)) return undefined;
    const at = key.search(/[./]/);
    const head = key.slice(0, Math.max(0, at));
    return Object.hasOwn(properties, head) && at + 1 < key.length
      ? [head, key.slice(at + 1)]
      : joined.get(folded(key));
  };
  if (!entries.some((entry) => pathOf(entry) !== undefined)) return undefined;
  const made = new Map<string, Entry[]>();
  const others: Entry[] = [];
  for (const entry of entries) {
    const path = pathOf(entry);
    if (path === undefined) others.push(entry);
    else kept(made, path[0], () => []).push({ key: path[1], value: entry.value });
  }
  return [
    ...others,
    ...[...made].map(([key, inner]): Entry => ({ key, value: { kind: "object", entries: inner } })),
  ];
}

const namesByProperties = new WeakMap<JsonSchema, ReadonlyMap<string, [head: string, rest: string]>>();

/** The names of members within members as one folded word, `addresscity`, but for those that are not unique. */
function joinedNames(
  properties: JsonSchema,
  root: JsonSchema,
): ReadonlyMap<string, [head: string, rest: string]> {
  return kept(namesByProperties, properties, () => newNames(properties, root));
}

function newNames(
  properties: JsonSchema,
  root: JsonSchema,
): ReadonlyMap<string, [head: string, rest: string]> {
  const paths = Object.keys(properties).flatMap((head) => {
    const inner = propertiesOf(flatten(fromBoolean(properties[head]), root));
    return Object.keys(inner).map((rest): [string, string] => [head, rest]);
  });
  const declared = new Set(Object.keys(properties).map(folded));
  const unique = [...groupBy(paths, ([head, rest]) => folded(head + rest))].flatMap(
    ([name, [path, ...others]]): [string, [string, string]][] =>
      path === undefined || others.length > 0 || declared.has(name) ? [] : [[name, path]],
  );
  return new Map(unique);
}
