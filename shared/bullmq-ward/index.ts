export type { GroupDecision, GroupReport } from "./batches/apply-to-group.ts";
export { BullmqWard } from "./bullmq-ward.ts";
export { WardOptionsInvalidError } from "./data-contract.ts";
export type { DataContractOptions } from "./data-contract.ts";
export type { CaseGroup } from "./group-cases.ts";
export type { JobCase } from "./job-case.ts";
export type { BullmqWardOptions, Hold, RedriveDecision, Redriven, SweepReport, WardMode } from "./options.ts";
export type { Learned, Proposal, WardRecipe } from "./propose.ts";
export type { RunOptions } from "./sweep.ts";
