/** What one fault did. */
export interface Struck {
  /** Whether something was harmed: a fault that nobody felt proves nothing. */
  readonly struck: boolean;
  /** Messages that were forged or destroyed, by message id. Default: none. */
  readonly victims?: readonly Victim[];
  /** What the process under test should not have done. Default: nothing. */
  readonly misdeed?: string;
}

/** A message that the suite has put into a queue, or destroyed there. */
export interface Victim {
  readonly messageId: string;
  /** Null: it was forged, and no run waits for it. */
  readonly runId: string | null;
}
