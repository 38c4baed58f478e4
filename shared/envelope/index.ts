export { branchOf, branchTag, joinOf } from "./branch.ts";
export type { Branch, MessageMarks } from "./branch.ts";
export { ENVELOPE_LIMITS_DEFAULT } from "./bounds.ts";
export type { EnvelopeLimits } from "./bounds.ts";
export { checkValue } from "./check-value.ts";
export { createDischarge } from "./create-discharge.ts";
export type { DischargeDraft } from "./create-discharge.ts";
export { COST_LIMIT_DEFAULT, createFirst, HOPS_MAX_DEFAULT, TOKEN_LIMIT_DEFAULT } from "./create-first.ts";
export type { FirstDraft } from "./create-first.ts";
export { childIdOf, createNext } from "./create-next.ts";
export type { NextDraft } from "./create-next.ts";
export { ENVELOPE_SCHEMA_VERSION, envelopeSchema } from "./envelope.ts";
export type {
  Billing,
  Conversation,
  Envelope,
  EnvelopeMeta,
  FileReference,
  HistoryMessage,
  TaskContext,
  UserContext,
} from "./envelope.ts";
export {
  EdgeMismatchError,
  EnvelopeInvalidError,
  EnvelopeTooLargeError,
  EnvelopeVersionUnsupportedError,
  JsonBoundError,
  JsonSyntaxError,
  KeyringInvalidError,
  MessageIdMismatchError,
  PathMismatchError,
  SealMalformedError,
  SignatureMismatchError,
  SigningKeyMissingError,
  UnknownKeyError,
  UntrustedMessageError,
} from "./errors.ts";
export {
  createMaster,
  deriveEdgeKey,
  deriveEdgeKeyPair,
  issueKeyring,
  issueVerifyingKeyring,
  verifyOnly,
} from "./issue-keys.ts";
export type { KeyringToIssue, KeyToDerive } from "./issue-keys.ts";
export type { KeyEdge, KeyGenerations, KeyRecord } from "./key-record.ts";
export { Keyring } from "./keyring.ts";
export type { EnvelopeKey } from "./keyring.ts";
export {
  BudgetExceededError,
  ExpiredError,
  HopLimitError,
  LimitError,
  LoopDetectedError,
} from "./limit-errors.ts";
export { checkBudget, checkLimits } from "./limits.ts";
export { open } from "./open.ts";
export type { Opened } from "./open.ts";
export { openBytes } from "./open-bytes.ts";
export type { OpenedBytes, OpenRequest } from "./open-bytes.ts";
export { originalSealOf, verifyOriginalSeal } from "./original-seal.ts";
export type { OriginalSeal } from "./original-seal.ts";
export { parseBounded } from "./parse-bounded.ts";
export { parseJson, repeatsName } from "./parse-json.ts";
export { parseOutside } from "./parse-outside.ts";
export { agentNameOf, isSurgeon, senderOf, SURGEON_ID } from "./path.ts";
export { digestOf } from "./digest-of.ts";
export { readEnvelope } from "./read-envelope.ts";
export {
  FIRST_GENERATION,
  FIRST_PAIRS,
  introduceGeneration,
  promoteGeneration,
  retireGenerations,
} from "./rotate-keys.ts";
export { sealBytes } from "./seal-bytes.ts";
export { seal } from "./seal.ts";
export type { Sealed } from "./seal.ts";
export type { SealAlgorithm, SealedMessage } from "./sealed-message.ts";
export { signRecord, verifyRecord } from "./sign-record.ts";
export type { RecordSeal, SignedRecord } from "./sign-record.ts";
export { earlier, TTL_MS_DEFAULT, TTL_MS_MAX } from "./expiry.ts";
export { unpackText } from "./unpack-text.ts";
