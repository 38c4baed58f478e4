import { z } from "zod";
import { contract } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { MOODS } from "../task.ts";

/** What the agents of the team under fault say to each other, in two releases. */

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

export type Order = z.output<typeof orderSchema>;
export type Appraisal = z.output<typeof appraisalSchema>;
export type Receipt = z.output<typeof receiptSchema>;

/** One release of the team: its contracts, and how it writes and reads what they carry. */
export interface Release {
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
