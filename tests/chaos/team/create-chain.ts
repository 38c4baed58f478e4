import { agent, team } from "#shared/runtime";
import type { Agent, Team } from "#shared/runtime";
import { actOnce } from "./act-once.ts";
import { Grade } from "./contracts.ts";
import type { Release } from "./contracts.ts";
import { MoodError } from "./errors.ts";

/** As long as it takes: what fails here fails because of the faults, and those end. */
const DELIVERIES_WITHOUT_END = Infinity;

/** The team under fault: three agents in a row. The middle one pays for a model's answer and acts once outside. */
export function createChain(release: Release): Team {
  return team("chaos", [createIntake(release), createAppraise(release), createReport(release)]);
}

function createIntake(release: Release): Agent {
  const { order, appraisal } = release.contracts;
  return agent(`chaos-intake@${release.version}`, {
    accepts: order,
    outside: true,
    to: { "chaos-appraise": appraisal },
    handle: async (input, ctx) => {
      const { task, amount, note, mood } = release.readOrder(input);
      if (mood === "throws") throw new MoodError();
      if (mood === "kills") process.kill(process.pid, "SIGKILL");
      const weighed = await ctx.step("weigh", () => amount);
      return ctx.handoff("chaos-appraise", release.writeAppraisal({ task, amount: weighed, note }));
    },
  });
}

function createAppraise(release: Release): Agent {
  const { appraisal, receipt } = release.contracts;
  return agent(`chaos-appraise@${release.version}`, {
    accepts: appraisal,
    to: { "chaos-report": receipt },
    answers: [Grade],
    deliveriesMax: DELIVERIES_WITHOUT_END,
    handle: async (input, ctx) => {
      const { task, amount } = release.readAppraisal(input);
      const { grade } = await ctx.model("grade", {
        instructions: "Grade the order.",
        input: { task, amount },
        answers: Grade,
      });
      const effect_id = await actOnce(ctx, task);
      return ctx.handoff("chaos-report", release.writeReceipt({ task, amount, grade, effect_id }));
    },
  });
}

function createReport(release: Release): Agent {
  return agent(`chaos-report@${release.version}`, {
    accepts: release.contracts.receipt,
    deliveriesMax: DELIVERIES_WITHOUT_END,
    handle: (receipt, ctx) => ctx.complete(receipt),
  });
}
