export {
  ActionForbiddenError,
  ActionOutOfScopeError,
  ActionTaintedError,
  ActionUndeclaredError,
  GuardDefinitionError,
  InjectionSuspectedError,
} from "./errors.ts";
export { findRepeatedInstructions, lookForInjection } from "./look-for-injection.ts";
export { checkGuard } from "./guard-declaration.ts";
export type { GuardDeclaration } from "./guard-declaration.ts";
export { scoreInjection } from "./injection/score-injection.ts";
export type { InjectionScore } from "./injection/score-injection.ts";
export { maskSecrets, redactText, redactValue } from "./redaction/redact-text.ts";
export { SENSITIVE_KINDS } from "./redaction/find-sensitive.ts";
export type { Redactions } from "./redaction/redact-text.ts";
export type { SensitiveKind } from "./redaction/find-sensitive.ts";
export {
  actionOf,
  assertMayCause,
  carryTaint,
  inheritScope,
  INJECTION_LABEL,
  joinTaint,
  labelsAt,
  labelsOf,
  narrowScope,
  readTaint,
  SCOPE_FIELD,
  scopeOf,
  TAINT_FIELD,
  TAINT_PLACES_MAX,
} from "./taint.ts";
export type { Taint } from "./taint.ts";
