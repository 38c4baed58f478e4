export type { CommitRequest, Committed, Hold } from "./ledger.ts";
export type { LedgerEntry, RecordedStep } from "./ledger-entry.ts";
export type { LedgerRecord, Spending } from "./ledger-record.ts";
