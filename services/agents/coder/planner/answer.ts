import { contract } from "#shared/contract";
import { plan } from "../contracts.ts";

/** The plan that everything after follows: first what is seen is made to happen again, at last a diff is tried. */
export const PlanAnswer = contract("planner.plan@1", plan, {
  description: "A goal, what to search the checkout for, and the steps of the repair in order.",
  check: ({ steps }) => {
    const ids = steps.map(({ id }) => id);
    const isAscending = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0));
    const issues = isAscending
      ? []
      : [{ path: "/steps", code: "steps_out_of_order", message: "the steps' ids ascend" }];
    const last = steps.at(-1)?.action;
    if (last === "verify") return issues;
    return [...issues, { path: "/steps", code: "not_verified", message: "the last step is verify" }];
  },
});

/** What the planner is shown. */
export interface PlanInput {
  readonly issue: string;
  /** Paths of the checkout, the first few hundred. */
  readonly files: readonly string[];
}
