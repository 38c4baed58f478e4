/** A run's record as Redis had it: its hash, its messages and its log, without the webhook and its secret. */
export interface KeptRun {
  readonly run_id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, string>>;
  readonly log: readonly string[];
}

/** A case as Redis had it: its hash, and its audit, newest line first. */
export interface KeptCase {
  readonly case_id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly audit: readonly string[];
}

/** A row of a list: an id with the fields that lists show. */
export interface KeptRow {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A page of a list of runs, newest first. */
export interface RunListPage {
  readonly tenant?: string;
  readonly status?: string;
  /** Creation time of the last row seen, in ms, exclusive. */
  readonly before?: number;
  /** Only runs that are in Redis. Default: those of the archive too. */
  readonly inRedis?: true;
  readonly limit: number;
}

/** Cases that a list has, as `CaseIndex` says. */
export type KeptIndex =
  | { readonly kind: "all" }
  | { readonly kind: "status"; readonly status: string }
  | { readonly kind: "group"; readonly fingerprint: string }
  | { readonly kind: "run"; readonly runId: string };

/** A page of a list of cases, newest first. */
export interface CaseListPage {
  /** `admitted_ms|case_id` of the last row seen, exclusive. Default: none. */
  readonly cursor?: string | null;
  readonly limit: number;
}

/**
 * Reads ended runs and closed cases that have left Redis. While it is away, every method throws an
 * ArchiveUnavailableError.
 */
export interface ArchiveReader {
  readRun(runId: string): Promise<KeptRun | null>;
  listRuns(page: RunListPage): Promise<readonly KeptRow[]>;
  countRuns(tenant?: string): Promise<number>;
  /** Reads the fields that lists show alone with `"head"`. */
  readCase(caseId: string, part: "head" | "all"): Promise<KeptCase | null>;
  listCases(index: KeptIndex, page: CaseListPage): Promise<readonly KeptRow[]>;
  countCases(index: KeptIndex): Promise<number>;
  /** Lists lines of the ward's audit that were written before a time, newest first. */
  listAudit(beforeMs: number, limit: number): Promise<readonly string[]>;
}
