import { folded } from "#shared/repair";
import { below, has, isObject, isSameJson, scalarText, valueAt } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { isDefault, isUndeclared } from "./derive-scalar.ts";
import { isNoted } from "./recipe.ts";
import type { Change, RecipeOperation, Steps } from "./recipe.ts";

/** Maximum depth at which parts of a removed member are searched. */
const MOVED_DEPTH_MAX = 4;

/** Values this short are equal by chance. */
const COMMON_CHARS_MAX = 3;

interface Members {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** State of deriving one object's operations. */
interface Draft extends Members {
  readonly change: Change;
  /** The object after the operations so far. */
  readonly current: JsonObject;
  /** Names of removed members. */
  readonly gone: readonly string[];
  readonly steps: RecipeOperation[];
}

/** Derives renamed and moved members, removed ones, declared defaults, then each member's own change. */
export function compareMembers(change: Change, { before, after }: Members): Steps {
  const gone = Object.keys(before).filter((key) => !has(after, key));
  const draft: Draft = { change, before, after, gone, current: { ...before }, steps: [] };
  for (const key of Object.keys(after).filter((one) => !has(before, one))) {
    if (!deriveMember(draft, key)) return undefined;
  }
  for (const key of Object.keys(after).filter((one) => has(before, one))) moveInto(draft, key);
  for (const key of gone.filter((one) => has(draft.current, one))) {
    const path = below(change.path, key);
    if (!isNoted(change, { path, step: "extra_member_removed" }) && !isUndeclared(change, key))
      return undefined;
    draft.steps.push({ op: "delete", path });
  }
  for (const key of Object.keys(after)) {
    const inner = compareMember(draft, key, draft.current[key] ?? null);
    if (inner === undefined) return undefined;
    draft.steps.push(...inner);
  }
  return draft.steps;
}

function compareMember({ change, after }: Draft, key: string, before: JsonValue): Steps {
  return change.derivation.compare({
    ...change,
    before,
    after: after[key] ?? null,
    path: below(change.path, key),
    steps: [...change.steps, key],
  });
}

/** Derives the operation for a new member. @returns false without a source. */
function deriveMember(draft: Draft, key: string): boolean {
  const { change, current, after, steps } = draft;
  const path = below(change.path, key);
  const source = sourceOf(draft, key);
  if (source !== undefined) {
    steps.push({ op: "rename", path: below(change.path, source), to: key });
    current[key] = draft.before[source] ?? null;
    delete current[source];
    return true;
  }
  const inside = findInside(draft, key);
  if (inside !== undefined) {
    const [holder = "", ...inner] = inside.steps;
    steps.push({ op: "move", from: inside.path, path });
    current[key] = inside.value;
    current[holder] = without(current[holder] ?? null, inner);
    return true;
  }
  if (isNoted(change, { path, step: "default_filled" }) || isDefault(change, key)) {
    steps.push({ op: "set_default", path, value: after[key] ?? null });
    current[key] = after[key] ?? null;
    return true;
  }
  return gather(draft, key);
}

/** Finds a member's old name: a similar spelling, else the only member with its value, or that derives it. */
function sourceOf(draft: Draft, key: string): string | undefined {
  const { change, before, after } = draft;
  const left = unmatchedNames(draft);
  const spelled = left.filter((name) => folded(name) === folded(key));
  if (spelled.length > 0) return onlyName(spelled);
  if (mayBeFromElsewhere(change, after[key] ?? null)) return undefined;
  const same = left.filter((name) => isSameJson(before[name] ?? null, after[key] ?? null));
  if (same.length > 0) return onlyName(same);
  const path = below(change.path, key);
  const isRenamed = ["name_alias", "name_near_miss"].some((step) => isNoted(change, { path, step }));
  if (isRenamed && left.length === 1) return left[0];
  // Renamed and changed at once: only a literal derivation confirms it, never a word mapping.
  return onlyName(left.filter((name) => isLiteral(compareMember(draft, key, before[name] ?? null))));
}

/** Removed members without a new name; none once the search limit is reached. */
function unmatchedNames({ change, gone, current }: Draft): string[] {
  const { work } = change.derivation;
  work.left -= gone.length;
  return work.left < 0 ? [] : gone.filter((name) => has(current, name));
}

/** A short value that another source contains too may be equal by chance. */
function mayBeFromElsewhere({ derivation }: Change, value: JsonValue): boolean {
  if (typeof value === "object" && value !== null) return false;
  const text = scalarText(value);
  return text.length <= COMMON_CHARS_MAX && derivation.elsewhere.some((other) => other.includes(text));
}

/** Returns the only name; undefined if there are several or none. */
function onlyName(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

/** Returns true for steps that take the value as it is, without a word mapping, default or deletion. */
function isLiteral(steps: Steps): boolean {
  return steps?.every(({ op }) => op !== "map_value" && op !== "set_default" && op !== "delete") === true;
}

interface Inner {
  readonly path: string;
  /** From the object whose member it becomes. */
  readonly steps: readonly string[];
  readonly value: JsonValue;
}

/** The only part with a similar name, or with this value, of the members that are gone, or that lost it. */
function findInside(draft: Draft, key: string): Inner | undefined {
  const { change, current, before, after } = draft;
  const kept = Object.keys(before).filter((name) => isObject(before[name]) && isObject(after[name]));
  const parts = [...unmatchedNames(draft), ...kept]
    .flatMap((name) => partsOf(current[name] ?? null, { path: below(change.path, name), steps: [name] }))
    .filter(({ steps }) => valueAt(after, steps) === undefined);
  change.derivation.work.left -= parts.length;
  const same = parts.filter(({ value }) => isSameJson(value, after[key] ?? null));
  const spelled = same.filter(({ name }) => folded(name) === folded(key));
  const isUnsure = spelled.length === 0 && mayBeFromElsewhere(change, after[key] ?? null);
  const [only, ...others] = spelled.length > 0 ? spelled : same;
  return others.length === 0 && !isUnsure ? only : undefined;
}

function partsOf(value: JsonValue, at: Omit<Inner, "value">): (Inner & { readonly name: string })[] {
  if (!isObject(value) || at.steps.length > MOVED_DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = { path: below(at.path, name), steps: [...at.steps, name] };
    return [{ name, ...place, value: inner }, ...partsOf(inner, place)];
  });
}

/** Returns a value without the member at a path of objects. */
function without(value: JsonValue, [name, ...steps]: readonly string[]): JsonValue {
  if (name === undefined || !isObject(value)) return value;
  const { [name]: inner = null, ...rest } = value;
  return steps.length === 0 ? rest : { ...value, [name]: without(inner, steps) };
}

/** Derives members that went into an object that stays, each from the only removed one of its name or value. */
function moveInto(draft: Draft, key: string): void {
  const { change, current, before, after, steps } = draft;
  const [whole, part] = [after[key] ?? null, current[key] ?? null];
  if (!isObject(whole) || !isObject(part)) return;
  for (const [name, value] of Object.entries(whole).filter(([one]) => !has(part, one))) {
    const left = unmatchedNames(draft);
    const spelled = left.filter((one) => folded(one) === folded(name));
    const same = left.filter((one) => isSameJson(before[one] ?? null, value));
    const source = onlyName(spelled.length > 0 ? spelled : same);
    if (source === undefined || (spelled.length === 0 && mayBeFromElsewhere(change, value))) continue;
    steps.push({ op: "move", from: below(change.path, source), path: below(below(change.path, key), name) });
    current[key] = { ...(current[key] as JsonObject), [name]: before[source] ?? null };
    delete current[source];
  }
}

/** Derives a new object that gathers former siblings: an empty object, then each part with a source. */
function gather(draft: Draft, key: string): boolean {
  const { change, current, before, after, steps } = draft;
  const whole = after[key];
  if (!isObject(whole) || Object.keys(whole).length === 0) return false;
  const path = below(change.path, key);
  const made: JsonObject = {};
  const moves: RecipeOperation[] = [];
  const taken = new Set<string>();
  for (const [name, value] of Object.entries(whole)) {
    const left = unmatchedNames(draft).filter((one) => !taken.has(one));
    const spelled = left.filter((one) => folded(one) === folded(name));
    const same = left.filter((one) => isSameJson(before[one] ?? null, value));
    const isUnsure = spelled.length === 0 && mayBeFromElsewhere(change, value);
    const source = onlyName(spelled.length > 0 ? spelled : same);
    if (source === undefined || isUnsure) return false;
    taken.add(source);
    moves.push({ op: "move", from: below(change.path, source), path: below(path, name) });
    made[name] = before[source] ?? null;
  }
  for (const name of taken) delete current[name];
  current[key] = made;
  steps.push({ op: "set_default", path, value: {} }, ...moves);
  return true;
}
