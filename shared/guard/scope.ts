import type { Envelope } from "#shared/envelope";
import { ActionOutOfScopeError, ActionUndeclaredError } from "./errors.ts";
import type { GuardDeclaration } from "./guard-declaration.ts";

/**
 * Field of `meta` with the actions that the run may still cause; absent: any. Children inherit it and may only narrow
 * it.
 */
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

/**
 * Checks that an agent may cause an action in this run.
 * @throws {ActionUndeclaredError} The agent does not declare it.
 * @throws {ActionOutOfScopeError} The run's scope does not contain it.
 */
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
