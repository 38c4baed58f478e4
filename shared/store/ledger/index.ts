export type { CommitRequest, Committed, Hold } from "./ledger.ts";
export type { ClaimName } from "./once.ts";
export type { LedgerEntry, LedgerRecord, RecordedStep, Spending } from "./ledger-record.ts";
