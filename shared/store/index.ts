// Must be loaded before ioredis.
export { areStringsFast } from "./keep-strings-fast.ts";
export { accessRules, formatAclLine, REDIS_USERS } from "./access-rules.ts";
export type { AccessRule, RedisUser } from "./access-rules.ts";
export { API_KEYS_EVERY_MS, storedKeySchema } from "./api-keys/api-key-store.ts";
export type { StoredKey } from "./api-keys/api-key-store.ts";
export { refusedAttemptSchema } from "./refusals.ts";
export type { RecordList } from "./people/record-list.ts";
export { checkRedisIsFit } from "./check-fit.ts";
export { checkDataFormat, markDataFormat } from "./data-format.ts";
export { compareClocks } from "./clock-skew.ts";
export { waitUntilReady } from "./connect.ts";
export { KeyDamagedError, LockLostError, NotFoundError, NotReplicatedError } from "./errors.ts";
export { Keys, WARD_QUEUE } from "./keys.ts";
export { canReachStore, explainFailure, judgeStore } from "./judge-store.ts";
export { mastersOf, parseInfo } from "./masters.ts";
export { memoryShare, readMemory } from "./memory-share.ts";
export { retryWhileRefused } from "./retry-while-refused.ts";
export { FieldReader, isObjectWith } from "./read-fields.ts";
export { ANNOUNCE_EVERY_MS } from "./registry.ts";
export type { AgentPresence } from "./registry.ts";
export { isRedisReply } from "./script.ts";
export type { RedisClient } from "./script.ts";
export { Store } from "./store.ts";
export { openStore } from "./open-store.ts";
export type {
  ArchiveReader,
  CaseListPage,
  KeptCase,
  KeptIndex,
  KeptRow,
  KeptRun,
  RunListPage,
} from "./archive.ts";
export { storeSettings } from "./store-settings.ts";
export type { StoreOptions } from "./store-settings.ts";
