import { contract } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import { openCheckout } from "../setup.ts";
import type { CoderSetup } from "../setup.ts";
import { walkFiles } from "../checkout/checkout-files.ts";
import { CodeTask, ExplorationOrder, plan as planForm } from "../contracts.ts";
import { RECORDED } from "../recordings.ts";

const to = { explorer: ExplorationOrder };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "plan");

const PlanAnswer = contract("planner.plan@1", planForm, {
  description: "A goal, what to search the checkout for, and the steps of the repair in order.",
});

const FILES_SHOWN_MAX = 400;

/** Turns a report into a plan with steps: what is to be searched for, repaired and verified. */
export function createPlanner(setup: CoderSetup) {
  return agent("planner@1", {
    accepts: CodeTask,
    guard: {
      mayCause: [],
      untrusted: { payload: { "/issue": "issue" } },
      injection: { reaction: "flag" },
    },
    to,
    description: "Turns a bug report into a plan with steps.",
    capabilities: ["planning"],
    answers: [PlanAnswer],
    standIns: { plan: RECORDED.plan },
    handle: async (task, ctx) => {
      const root = await openCheckout(setup.checkoutsDir(), task.checkout);
      if (root === null) return ctx.reject(`there is no checkout called ${task.checkout}`);
      const files = await ctx.step("list", async (signal) => {
        const found = await walkFiles({ root, signal });
        return found.slice(0, FILES_SHOWN_MAX).map(({ path }) => path.slice(0, 120));
      });
      const input = { issue: task.issue, files };
      const plan = await ctx.model("plan", { instructions: INSTRUCTIONS, input, answers: PlanAnswer });
      return ctx.handoff("explorer", { task, plan }, { reason: "the repair is planned" });
    },
  });
}
