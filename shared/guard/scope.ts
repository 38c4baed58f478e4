import type { Envelope } from "#shared/envelope";
import { ActionOutOfScopeError, ActionUndeclaredError } from "./errors.ts";
import type { GuardDeclaration } from "./guard-declaration.ts";

/**
 * Field of an envelope's `meta` with the actions that the run may still cause from here on; absent: any. Children
 * inherit it, like every field of `meta`, and may only narrow it.
 */
export const SCOPE_FIELD = "may_cause";

/** The actions in a run's scope; null for any. What cannot be read as one allows nothing. */
export function scopeOf(meta: Envelope["meta"]): readonly string[] | null {
  const scope = meta[SCOPE_FIELD];
  if (scope === undefined) return null;
  return Array.isArray(scope) ? scope.filter((action) => typeof action === "string") : [];
}

/** What is left of a scope for a child: never more than its parent has. */
export function narrowScope(parent: readonly string[] | null, asked: readonly string[]): readonly string[] {
  const own = [...new Set(asked)];
  return parent === null ? own : own.filter((action) => parent.includes(action));
}

/** The name of a side effect: what its author calls it, else its key up to the first colon. */
export function actionOf(key: string, named: string | undefined): string {
  return named ?? key.split(":", 1)[0] ?? key;
}

/**
 * Whether an agent may cause an action in this run.
 *
 * @throws {ActionUndeclaredError} It never said so. @throws {ActionOutOfScopeError} The run may not any more.
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
