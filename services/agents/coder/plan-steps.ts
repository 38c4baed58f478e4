import { z } from "zod";
import { PLAN_ACTIONS } from "./contracts.ts";
import type { Plan } from "./contracts.ts";

type Action = (typeof PLAN_ACTIONS)[number];

/** A step of the plan with what it brought, for people. */
export const doneStep = z.object({
  id: z.int().positive(),
  action: z.enum(PLAN_ACTIONS),
  aim: z.string(),
  /** What was found or done; "" where the run ended before it. */
  brought: z.string(),
});

export type DoneStep = z.output<typeof doneStep>;

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
