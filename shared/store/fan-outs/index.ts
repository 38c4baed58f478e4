export type { BranchFailure, FanOutOpening, FanOutRecord, FiredBy, HeldBranch } from "./fan-out-record.ts";
export { STARTS_MAX } from "./fan-out-store.ts";
export type { BranchSight, Collected } from "./fan-out-store.ts";
