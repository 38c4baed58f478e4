export { BullmqWard } from "./bullmq-ward.ts";
export type { BullmqWardOptions, Hold, Redriven, SweepReport } from "./bullmq-ward.ts";
export type { DataContractOptions } from "./data-contract.ts";
export type { CaseGroup } from "./group-cases.ts";
export type { JobCase } from "./job-case.ts";
export type { Proposal } from "./propose.ts";
