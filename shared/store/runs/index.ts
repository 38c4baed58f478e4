// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { rankOf } from "./run-event.ts";
export type { OpenedMessage, RunChange, RunEnd, RunEvent } from "./run-event.ts";
export { ENDED_STATUSES, LISTED_FIELDS, RUN_STATUSES } from "./run-record.ts";
export type {
  Accepted,
  AccountLimit,
  ListedRun,
  RunAccount,
  RunCounts,
  RunMessage,
  RunRecord,
  RunStatus,
} from "./run-record.ts";
export { RunWatcher } from "./watch-run.ts";
