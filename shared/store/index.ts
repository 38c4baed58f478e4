// First: it must stand before anything here loads ioredis.
export { areStringsFast } from "./keep-strings-fast.ts";
export { accessRules, formatAclLine } from "./access-rules.ts";
export type { AccessAgent, AccessRule } from "./access-rules.ts";
export { API_KEYS_EVERY_MS } from "./api-keys/api-key-book.ts";
export type { StoredKey } from "./api-keys/stored-key.ts";
export { BATCH_CASES_MAX } from "./cases/batch-store.ts";
export type { StoredBatch } from "./cases/batch-store.ts";
export { GROUP_LIFECYCLES } from "./cases/case-groups.ts";
export type { CaseGroup, GroupLifecycle, GroupMark } from "./cases/case-groups.ts";
export { CASE_STATUSES, OPEN_CASE_STATUSES } from "./cases/case-record.ts";
export type {
  AuditEntry,
  CaseArrival,
  CaseCounts,
  CaseFence,
  CaseIndex,
  CaseLook,
  CaseStatus,
  CaseWrite,
  CaseWritten,
  StoredCase,
} from "./cases/case-record.ts";
export type { ExampleScope } from "./cases/example-store.ts";
export type { Called, GroupRest, TurnEnd } from "./cases/group-turns.ts";
export { EVERY_PRODUCER, RECIPE_STATES } from "./cases/recipe-record.ts";
export type {
  NewRecipe,
  RecipeProblem,
  RecipeSealer,
  RecipeState,
  StoredRecipe,
  UsedRecipe,
} from "./cases/recipe-record.ts";
export type { HeldByLimit, Reservation } from "./cases/surgery-costs.ts";
export type { RecordList } from "./people/record-list.ts";
export { checkRedisIsFit } from "./check-fit.ts";
export { checkDataFormat } from "./data-format.ts";
export { CLOCK_SKEW_MS_MAX, compareClocks } from "./clock-skew.ts";
export { waitUntilReady } from "./connect.ts";
export type { Crossing, Planted, RecordedMessage } from "./crossings/crossing-store.ts";
export { readChange } from "./crossings/read-change.ts";
export type { Return } from "./crossings/return.ts";
export { CIRCUIT_STATES } from "./feedback/circuit-store.ts";
export type {
  Circuit,
  CircuitDetail,
  CircuitReport,
  CircuitRule,
  CircuitState,
  CircuitStore,
} from "./feedback/circuit-store.ts";
export { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "./feedback/endpoint-circuits.ts";
export type { EndpointCircuitRule } from "./feedback/endpoint-circuits.ts";
export type { Notice, NoticeReceiver } from "./feedback/notice-store.ts";
export { pointOf } from "./feedback/point-of.ts";
export { handoffKey, otherHandoffs } from "./feedback/handoff-key.ts";
export type { HandoffPair } from "./feedback/handoff-key.ts";
export type { HandoffRate } from "./feedback/handoff-rates.ts";
export { producerKey } from "./feedback/producer-key.ts";
export type { ProducerOfOutput } from "./feedback/producer-key.ts";
export type { ProducerRate } from "./feedback/producer-rates.ts";
export { RATE_SPANS } from "./feedback/read-buckets.ts";
export type { RateSpan } from "./feedback/read-buckets.ts";
export {
  LockLostError,
  NotFoundError,
  NotReplicatedError,
  ReturnMalformedError,
  StoreUnavailableError,
  StoreUnfitError,
} from "./errors.ts";
export { BOARD_BOUNDS_DEFAULT } from "./boards/board-store.ts";
export type { BoardBounds, BoardEntry, BoardView, BoardWritten } from "./boards/board-store.ts";
export type {
  BranchFailure,
  BranchState,
  FanOutOpening,
  FanOutRecord,
  FiredBy,
  HeldBranch,
} from "./fan-outs/fan-out-record.ts";
export type { BranchSight, Collected } from "./fan-outs/fan-out-store.ts";
export type { HandedOver } from "./handover.ts";
export { OutboxIntake } from "./isolation/outbox-intake.ts";
export type { TakenEntry } from "./isolation/outbox-intake.ts";
export { Keys, retryQueueOf, WARD_QUEUE } from "./keys.ts";
export type { Beginning, CommitRequest, Committed, Hold } from "./ledger/ledger.ts";
export type { LedgerRecord, Spending } from "./ledger/ledger-record.ts";
export { judgeStore } from "./judge-store.ts";
export { mastersOf } from "./masters.ts";
export { memoryShare, readMemory } from "./memory-share.ts";
export { retryWhileRefused } from "./retry-while-refused.ts";
export { RELAY_AFTER_MS } from "./outbox.ts";
export type { Admission, CollectedBranch, OutboxEntry, PendingAcknowledgement } from "./outbox-entry.ts";
export { Consumer } from "./queues/consume.ts";
export { ConsumerGuard, GUARD_DEFAULT } from "./queues/guard-consumers.ts";
export { oldestWaitingMs } from "./queues/oldest-waiting.ts";
export type { GuardOptions, GuardReports } from "./queues/guard-consumers.ts";
export type { DeliveredJob, Disposal } from "./queues/consume.ts";
export { describeDamage } from "./queues/find-damage.ts";
export type { QueueDamage } from "./queues/find-damage.ts";
export type { QueueDepth, SendRequest } from "./queues/handoff-queues.ts";
export type { JobData } from "./queues/job-data.ts";
export { FieldReader, isObjectWith, readJson } from "./read-fields.ts";
export { ANNOUNCE_EVERY_MS } from "./registry.ts";
export type { AgentPresence, ServicePresence } from "./registry.ts";
export type { HeldMessage, HeldVerdict } from "./runs/journal.ts";
export { rankOf } from "./runs/run-event.ts";
export type { OpenedMessage, RunChange, RunEnd, RunEvent } from "./runs/run-event.ts";
export { ENDED_STATUSES, RUN_STATUSES } from "./runs/run-record.ts";
export type {
  Accepted,
  AccountLimit,
  RunAccount,
  RunCounts,
  RunMessage,
  RunRecord,
  RunStatus,
} from "./runs/run-record.ts";
export { RunWatcher } from "./runs/watch-run.ts";
export type { RefusedAttempt } from "./refusals.ts";
export { isRedisReply, Script } from "./script.ts";
export type { RedisClient, ScriptReply } from "./script.ts";
export { Store } from "./store.ts";
export type { StoreOptions } from "./store.ts";
export { storeSettings } from "./store-settings.ts";
export { auditRuns } from "./upkeep/audit-runs.ts";
export type { Audit } from "./upkeep/audit-runs.ts";
export { AUDIT_GRACE_MS, readAudit } from "./upkeep/read-audit.ts";
export type { AuditReport, LostMessage } from "./upkeep/read-audit.ts";
export { RunAudit } from "./upkeep/run-audit.ts";
export { findAwaitingRun } from "./upkeep/find-awaiting-run.ts";
export { retireAbsent } from "./upkeep/retire-absent.ts";
export { retireClaims } from "./upkeep/retire-claims.ts";
export { retireJobs } from "./upkeep/retire-jobs.ts";
export { retireRuns } from "./upkeep/retire-runs.ts";
export { findStranded, takeOut } from "./upkeep/stranded.ts";
export type { StrandedJob } from "./upkeep/stranded.ts";
