import type { JsonSchema } from "#shared/contract";
import { asSchema, flatten, fromBoolean, requiredOf } from "#shared/schema";
import type { Entry, Tree } from "../read/tree.ts";
import { isHarmless } from "./find-payload.ts";
import { isErrorName } from "./match-names.ts";
import { folded } from "./match-words.ts";

/** Names of wrappers whose content is not the answer, however well it fits. */
const NO_ANSWERS: ReadonlySet<string> = new Set(
  "before draft drafts error errors example examples invalid old original previous rejected sample schema template wrong".split(
    " ",
  ),
);

/** A declared object property, with the names that only it declares. */
interface Branch {
  readonly key: string;
  readonly required: readonly string[];
  readonly own: ReadonlySet<string>;
}

/**
 * Moves members between two levels of a closed contract, where each name has one place: members of a nested object
 * that stand beside it, `{"adults": 2}` for `{"passengers": {"adults": 2}}`, and members under a wrapper that the
 * contract does not know, `{"details": {"city": "Oslo"}}` for `{"city": "Oslo"}`.
 * @returns Undefined where nothing is to be moved.
 */
export function moveLevels(
  entries: readonly Entry[],
  schema: JsonSchema,
  root: JsonSchema,
): Tree | undefined {
  if (schema["additionalProperties"] !== false) return undefined;
  const properties = asSchema(schema["properties"]) ?? {};
  const raised = raise(entries, properties);
  const lowered = lower(raised ?? entries, branchesOf(properties, root), properties);
  const moved = lowered ?? raised;
  return moved === undefined ? undefined : { kind: "object", entries: moved };
}

/** Takes the members out of undeclared wrappers that hold only declared names which are missing outside. */
function raise(entries: readonly Entry[], properties: JsonSchema): Entry[] | undefined {
  const declared = new Set(Object.keys(properties).map(folded));
  const present = new Set(entries.map(({ key }) => folded(key)));
  const isWrapper = ({ key, value }: Entry): boolean =>
    value.kind === "object" &&
    value.entries.length > 0 &&
    !declared.has(folded(key)) &&
    !NO_ANSWERS.has(folded(key)) &&
    !isErrorName(key) &&
    key !== "__proto__" &&
    value.entries.every((inner) => declared.has(folded(inner.key)) && !present.has(folded(inner.key)));
  // Beside a failure, or data that is not declared, the members may be something else's.
  const isBeside = (one: Entry): boolean => declared.has(folded(one.key)) || isHarmless(one);
  if (!entries.some(isWrapper) || !entries.every((one) => isWrapper(one) || isBeside(one))) return undefined;
  const raised = entries.flatMap((entry) =>
    isWrapper(entry) && entry.value.kind === "object" ? entry.value.entries : [entry],
  );
  const names = raised.map(({ key }) => folded(key));
  return new Set(names).size === names.length ? raised : undefined;
}

function branchesOf(properties: JsonSchema, root: JsonSchema): Branch[] {
  const declared = new Set(Object.keys(properties).map(folded));
  const all = Object.keys(properties).flatMap((key) => {
    const inner = flatten(fromBoolean(properties[key]), root);
    const names = Object.keys(asSchema(inner["properties"]) ?? {}).map(folded);
    return names.length === 0 ? [] : [{ key, required: requiredOf(inner).map(folded), names }];
  });
  return all.map(({ key, required, names }) => {
    const others = new Set(all.flatMap((one) => (one.key === key ? [] : one.names)));
    return { key, required, own: new Set(names.filter((name) => !declared.has(name) && !others.has(name))) };
  });
}

/** Puts members that only one nested object declares into it, when that makes it whole. */
function lower(
  entries: readonly Entry[],
  branches: readonly Branch[],
  properties: JsonSchema,
): Entry[] | undefined {
  let kept = [...entries];
  let isMoved = false;
  for (const { key, required, own } of branches) {
    const inside = kept.filter(
      (entry) => own.has(folded(entry.key)) && !Object.hasOwn(properties, entry.key),
    );
    if (inside.length === 0) continue;
    const holder = kept.find((entry) => folded(entry.key) === folded(key));
    if (holder !== undefined && holder.value.kind !== "object") continue;
    const already = holder?.value.kind === "object" ? holder.value.entries : [];
    const names = [...already, ...inside].map((entry) => folded(entry.key));
    const isWhole = required.every((name) => names.includes(name));
    if (!isWhole || new Set(names).size !== names.length) continue;
    const value: Tree = { kind: "object", entries: [...already, ...inside] };
    kept = [...kept.filter((entry) => entry !== holder && !inside.includes(entry)), { key, value }];
    isMoved = true;
  }
  return isMoved ? kept : undefined;
}
