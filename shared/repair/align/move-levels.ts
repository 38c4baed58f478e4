import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { flatten, fromBoolean, propertiesOf, requiredOf } from "#shared/schema";
import type { Entry, Tree } from "../read/tree.ts";
import { isHarmless, isNoAnswer } from "./find-payload.ts";
import { indexNames } from "./match-names.ts";
import { folded } from "./match-words.ts";
import { groupBy } from "../group-by.ts";

/** A declared object property. */
interface Branch {
  readonly key: string;
  readonly required: readonly string[];
}

/** What the levels of an object's contract declare, by folded name. */
interface Levels {
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** Names that only one branch declares. */
  readonly branchOf: ReadonlyMap<string, Branch>;
}

/**
 * Moves members between two levels of a contract that they do not fit, where each name has one place: members of a
 * nested object that stand beside it, `{"adults": 2}` for `{"passengers": {"adults": 2}}`; in a closed contract also
 * members under a wrapper that it does not know, `{"details": {"city": "Oslo"}}` for `{"city": "Oslo"}`.
 * @returns Undefined where nothing is to be moved.
 */
export function moveLevels(
  entries: readonly Entry[],
  schema: JsonSchema,
  root: JsonSchema,
): Tree | undefined {
  const properties = propertiesOf(schema);
  const levels = levelsOf(properties, root);
  // In an open contract a name may stand in several places.
  const isClosed = schema["additionalProperties"] === false;
  const raised = isClosed ? raise(entries, levels) : undefined;
  const lowered = lower(raised ?? entries, { properties, branchOf: levels.branchOf });
  const moved = lowered ?? raised;
  return moved === undefined ? undefined : { kind: "object", entries: moved };
}

/** Takes the members out of undeclared wrappers that hold only declared names which are missing outside. */
function raise(entries: readonly Entry[], { declared, branchOf }: Levels): Entry[] | undefined {
  const present = new Set(entries.map(({ key }) => folded(key)));
  const isWrapper = ({ key, value }: Entry): boolean =>
    value.kind === "object" &&
    value.entries.length > 0 &&
    !declared.has(folded(key)) &&
    !isNoAnswer(key) &&
    key !== "__proto__" &&
    value.entries
      .map((inner) => folded(inner.key))
      .every((name) => (declared.has(name) || branchOf.has(name)) && !present.has(name));
  // Beside a failure, or data that is not declared, the members may be something else's.
  const isBeside = (one: Entry): boolean => declared.has(folded(one.key)) || isHarmless(one);
  if (!entries.some(isWrapper) || !entries.every((one) => isWrapper(one) || isBeside(one))) return undefined;
  const raised = entries.flatMap((entry) =>
    isWrapper(entry) && entry.value.kind === "object" ? entry.value.entries : [entry],
  );
  const names = raised.map(({ key }) => folded(key));
  return new Set(names).size === names.length ? raised : undefined;
}

const levelsByProperties = new WeakMap<JsonSchema, Levels>();

function levelsOf(properties: JsonSchema, root: JsonSchema): Levels {
  return kept(levelsByProperties, properties, () => newLevels(properties, root));
}

function newLevels(properties: JsonSchema, root: JsonSchema): Levels {
  const declared = indexNames(properties).byFolded;
  const pairs = Object.keys(properties).flatMap((key) => {
    const inner = flatten(fromBoolean(properties[key]), root);
    const branch: Branch = { key, required: requiredOf(inner).map(folded) };
    return [...new Set(Object.keys(propertiesOf(inner)).map(folded))].map((name) => ({ name, branch }));
  });
  const unique = [...groupBy(pairs, ({ name }) => name)].flatMap(
    ([name, [only, ...others]]): [string, Branch][] =>
      only === undefined || others.length > 0 || declared.has(name) ? [] : [[name, only.branch]],
  );
  return { declared, branchOf: new Map(unique) };
}

/** Puts members that only one nested object declares into it, when that makes it whole. */
function lower(
  entries: readonly Entry[],
  { properties, branchOf }: { properties: JsonSchema; branchOf: Levels["branchOf"] },
): Entry[] | undefined {
  const strays = entries.filter(({ key }) => !Object.hasOwn(properties, key));
  let moved = [...entries];
  let isMoved = false;
  for (const [branch, inside] of groupBy(strays, ({ key }) => branchOf.get(folded(key)))) {
    if (branch === undefined) continue;
    const holder = moved.find((entry) => folded(entry.key) === folded(branch.key));
    if (holder !== undefined && holder.value.kind !== "object") continue;
    const already = holder?.value.kind === "object" ? holder.value.entries : [];
    const names = [...already, ...inside].map((entry) => folded(entry.key));
    const isWhole = branch.required.every((name) => names.includes(name));
    if (!isWhole || new Set(names).size !== names.length) continue;
    const value: Tree = { kind: "object", entries: [...already, ...inside] };
    moved = [
      ...moved.filter((entry) => entry !== holder && !inside.includes(entry)),
      { key: branch.key, value },
    ];
    isMoved = true;
  }
  return isMoved ? moved : undefined;
}
