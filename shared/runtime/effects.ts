import type {
  Admission,
  CollectedBranch,
  FanOutOpening,
  OutboxEntry,
  RunChange,
  SendRequest,
} from "#shared/store";

/** What an outcome sets in motion. */
export interface Effects {
  readonly changes: readonly RunChange[];
  readonly sends?: readonly SendRequest[];
  readonly admissions?: readonly Admission[];
  readonly awaits?: OutboxEntry["awaits"] | undefined;
  readonly fanOut?: FanOutOpening;
  readonly collected?: CollectedBranch;
}
