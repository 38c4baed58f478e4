import { contract } from "#shared/contract";
import { plan } from "../contracts.ts";

/** The plan that everything after follows: first what is seen is made to happen again, at last a diff is tried. */
export const PlanAnswer = contract("planner.plan@1", plan, {
  description: "A goal, what to search the checkout for, and the steps of the repair in order.",
});

/** What the planner is shown. */
export interface PlanInput {
  readonly issue: string;
  /** Paths of the checkout, the first few hundred. */
  readonly files: readonly string[];
}
