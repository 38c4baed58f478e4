import { z } from "zod";
import { contract } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Agent, Team } from "#shared/runtime";
import { actOnce, MoodError } from "./act-once.ts";
import { MOODS } from "../task.ts";

/** Failures here come of the faults, and those end. */
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

/** Messages between the agents of the team under fault, in two releases. */

const orderSchema = z.strictObject({
  task: z.string(),
  amount: z.number(),
  note: z.string(),
  mood: z.enum(MOODS),
});
const Order1 = contract("chaos.order@1", orderSchema);
/** A client may go on submitting what it submitted before. */
const Order2 = contract("chaos.order@2", orderSchema.extend({ desk: z.string().default("front") }), {
  upcast: (old) => orderSchema.parse(old),
});

const appraisalSchema = z.strictObject({ task: z.string(), amount: z.number(), note: z.string() });
const Appraisal1 = contract("chaos.appraisal@1", appraisalSchema);
const nestedSchema = z.strictObject({
  task: z.string(),
  worth: z.strictObject({ amount: z.number() }),
  note: z.string(),
});
const nest = ({ amount, ...rest }: Appraisal): z.output<typeof nestedSchema> => ({
  ...rest,
  worth: { amount },
});
const Appraisal2 = contract("chaos.appraisal@2", nestedSchema, {
  upcast: (old) => nest(appraisalSchema.parse(old)),
});

const receiptSchema = z.strictObject({
  task: z.string(),
  amount: z.number(),
  grade: z.string(),
  effect_id: z.string(),
});
const Receipt1 = contract("chaos.receipt@1", receiptSchema);
const Receipt2 = contract("chaos.receipt@2", receiptSchema.extend({ release: z.enum(["current", "next"]) }), {
  upcast: (old) => ({ ...receiptSchema.parse(old), release: "current" }),
});

export const Grade = contract(
  "chaos.grade@1",
  z.strictObject({ task: z.string(), amount: z.number(), grade: z.enum(["a", "b", "c"]) }),
);

type Order = z.output<typeof orderSchema>;
type Appraisal = z.output<typeof appraisalSchema>;
type Receipt = z.output<typeof receiptSchema>;

/** One release of the team: its contracts, and how it writes and reads what they carry. */
interface Release {
  readonly version: 1 | 2;
  readonly contracts: { readonly order: Contract; readonly appraisal: Contract; readonly receipt: Contract };
  readOrder(input: unknown): Order;
  readAppraisal(input: unknown): Appraisal;
  writeAppraisal(appraisal: Appraisal): object;
  writeReceipt(receipt: Receipt): object;
}

export const CURRENT_RELEASE: Release = {
  version: 1,
  contracts: { order: Order1, appraisal: Appraisal1, receipt: Receipt1 },
  readOrder: (input) => orderSchema.parse(input),
  readAppraisal: (input) => appraisalSchema.parse(input),
  writeAppraisal: (appraisal) => appraisal,
  writeReceipt: (receipt) => receipt,
};

/** Reads what the release before it wrote, and writes what that one cannot read. */
export const NEXT_RELEASE: Release = {
  version: 2,
  contracts: { order: Order2, appraisal: Appraisal2, receipt: Receipt2 },
  readOrder: (input) => Order2.schema.parse(input),
  readAppraisal: (input) => {
    const { worth, ...rest } = nestedSchema.parse(input);
    return { ...rest, amount: worth.amount };
  },
  writeAppraisal: nest,
  writeReceipt: (receipt) => ({ ...receipt, release: "next" }),
};
