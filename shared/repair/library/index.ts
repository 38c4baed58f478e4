export type { Evidence, ValueEvidence } from "../evidence/evidence.ts";
export type { FirstAidOptions, Note, RefusalCode } from "../first-aid-result.ts";
export { repair } from "./repair.ts";
export type { Repair, StandardSchema } from "./repair.ts";
export { createRepairStream, repairStream } from "./repair-stream.ts";
export type { Certain, RepairStream } from "./repair-stream.ts";
