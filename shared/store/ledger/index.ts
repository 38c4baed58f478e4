export type { CommitRequest, Committed, Hold } from "./ledger.ts";
export type { LedgerRecord, Spending } from "./ledger-record.ts";
