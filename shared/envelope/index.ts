export { childIdOf, createNext, idsOfCall, openCallIds } from "./create-next.ts";
export { agentNameOf, branchOf, branchTag, isSurgeon, joinOf, senderOf, SURGEON_ID } from "./path.ts";
export type { NextDraft } from "./create-next.ts";
export type { Branch, MessageMarks } from "./path.ts";
export { envelopeSchema, HOPS_MAX, readConstraints, writeConstraints } from "./envelope.ts";
export { ENVELOPE_LIMITS_DEFAULT } from "./bounds.ts";
export type { Conversation, Envelope, EnvelopeMeta, HistoryMessage } from "./envelope.ts";
export type { EnvelopeLimits } from "./bounds.ts";
export {
  COST_LIMIT_DEFAULT,
  createDischarge,
  createFirst,
  HOPS_MAX_DEFAULT,
  TOKEN_LIMIT_DEFAULT,
} from "./create-first.ts";
export type { FirstDraft } from "./create-first.ts";
export { EnvelopeTooLargeError } from "./errors.ts";
export { readEnvelope } from "./read-envelope.ts";
