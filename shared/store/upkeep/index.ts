// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { auditRuns } from "./audit-runs.ts";
export type { Audit } from "./audit-runs.ts";
export { balance, equationSchema, waitingOf } from "./balance.ts";
export { AUDIT_GRACE_MS, readAudit } from "./read-audit.ts";
export type { AuditReport } from "./read-audit.ts";
export { RunAudit } from "./run-audit.ts";
export { findAwaitingRun } from "./find-holder.ts";
export { retireAbsent, retireClaims, retireJobs, retireRuns } from "./retire.ts";
export { findStranded, takeOut } from "./stranded.ts";
export type { StrandedJob } from "./stranded.ts";
