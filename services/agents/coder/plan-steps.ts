import type { Plan, PLAN_ACTIONS } from "./contracts.ts";

type Action = (typeof PLAN_ACTIONS)[number];

/** A step of the plan with what it brought, for people. */
export interface DoneStep {
  readonly id: number;
  readonly action: Action;
  readonly aim: string;
  /** What was found or done; "" where the run ended before it. */
  readonly brought: string;
}

/** Returns what the plan's steps of that kind are to bring. "" where it has none. */
export function aimOf({ steps }: Plan, action: Action): string {
  return steps
    .filter((step) => step.action === action)
    .map(({ aim }) => aim)
    .join(" ");
}

/** Returns the plan's steps with what each kind brought. */
export function tellSteps({ steps }: Plan, brought: Partial<Record<Action, string>>): DoneStep[] {
  return steps.map(({ id, action, aim }) => ({ id, action, aim, brought: brought[action] ?? "" }));
}
