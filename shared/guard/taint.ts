import { z } from "zod";
import type { Envelope } from "#shared/envelope";
import { ActionOutOfScopeError, ActionUndeclaredError } from "./errors.ts";
import type { GuardDeclaration } from "./guard-declaration.ts";

/** Labels of text from outside, by JSON pointer; the longest pointer counts, and `[]` says none. */
export type Taint = Readonly<Record<string, readonly string[]>>;

/** Field of a conversation's `metadata`. */
export const TAINT_FIELD = "taint";

/** Label for suspected prompt injections that are flagged and not stopped. */
export const INJECTION_LABEL = "injection_suspected";

/** Given to everything where what should say it cannot be read. */
const UNREADABLE_LABEL = "unreadable";

/** The labels that came with a message; null where none did. */
export function readTaint(metadata: Readonly<Record<string, unknown>>): Taint | null {
  const found = metadata[TAINT_FIELD];
  if (found === undefined) return null;
  const { data } = z.record(z.string(), z.array(z.string())).safeParse(found);
  return data !== undefined && Object.keys(data).length <= TAINT_PLACES_MAX
    ? data
    : { "": [UNREADABLE_LABEL] };
}

/** Maximum number of places that one message names; its author declares few. */
export const TAINT_PLACES_MAX = 256;

/** The labels of one place of a payload, by the longest pointer that leads there; for "" those of all of it. */
export function labelsAt(taint: Taint, pointer: string): readonly string[] {
  if (pointer === "") return labelsOf(taint);
  const within = Object.keys(taint).filter((place) => place.startsWith(`${pointer}/`));
  const above = Object.keys(taint)
    .filter((place) => place === "" || pointer === place || pointer.startsWith(`${place}/`))
    .reduce((longest, place) => (place.length >= longest.length ? place : longest), "");
  return [...new Set([above, ...within].flatMap((place) => taint[place] ?? []))];
}

/** Returns all labels of a payload. */
export function labelsOf(taint: Taint): readonly string[] {
  return [...new Set(Object.values(taint).flat())];
}

/** Merges the message's labels with those that its receiver declares. */
export function joinTaint(came: Taint | null, declared: Readonly<Record<string, string>>): Taint {
  const joined: Record<string, readonly string[]> = { ...came };
  for (const [pointer, label] of Object.entries(declared)) {
    const places = [pointer, ...Object.keys(joined).filter((place) => place.startsWith(`${pointer}/`))];
    for (const place of new Set(places)) {
      joined[place] = [
        ...new Set([...(joined[place] ?? (came === null ? [] : labelsAt(came, place))), label]),
      ];
    }
  }
  return joined;
}

/** Returns a derived payload's taint: every label everywhere but where declared clean. Null for no labels. */
export function carryTaint(labels: readonly string[], clean: readonly string[]): Taint | null {
  if (labels.length === 0) return null;
  return Object.fromEntries([
    ["", [...labels]],
    ...clean.map((pointer): [string, string[]] => [pointer, []]),
  ]);
}

/** Field of `meta` with the actions that the run may still cause; absent: any. Children may only narrow it. */
export const SCOPE_FIELD = "may_cause";

/** Returns the run's allowed actions; null for any. An unreadable scope allows none. */
export function scopeOf(meta: Envelope["meta"]): readonly string[] | null {
  const scope = meta[SCOPE_FIELD];
  if (scope === undefined) return null;
  return Array.isArray(scope) ? scope.filter((action) => typeof action === "string") : [];
}

/** Returns the field of `meta` that gives a message the scope of another one; no field for any action. */
export function inheritScope(meta: Envelope["meta"]): Readonly<Record<string, readonly string[]>> {
  const scope = scopeOf(meta);
  return scope === null ? {} : { [SCOPE_FIELD]: [...scope] };
}

/** Intersects a child's scope with its parent's. */
export function narrowScope(parent: readonly string[] | null, asked: readonly string[]): readonly string[] {
  const own = [...new Set(asked)];
  return parent === null ? own : own.filter((action) => parent.includes(action));
}

/** The name of a side effect: the declared one, else its key up to the first colon. */
export function actionOf(key: string, named: string | undefined): string {
  return named ?? key.split(":", 1)[0] ?? key;
}

/** Checks that an agent may cause an action in this run. @throws {ActionUndeclaredError | ActionOutOfScopeError} */
export function assertMayCause(question: {
  readonly agent: string;
  readonly action: string;
  readonly guard: GuardDeclaration | undefined;
  readonly meta: Envelope["meta"];
}): void {
  const { agent, action, guard, meta } = question;
  if (guard?.mayCause?.includes(action) === false) throw new ActionUndeclaredError(agent, action);
  if (scopeOf(meta)?.includes(action) === false) throw new ActionOutOfScopeError(agent, action);
}
