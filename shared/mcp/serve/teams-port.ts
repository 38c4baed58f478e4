import type { JsonSchema } from "#shared/json";

/** A team as a tool. */
export interface ServedTeam {
  readonly name: string;
  readonly description: string;
  /** Of its first agent's contract. */
  readonly inputSchema: JsonSchema;
  /** Of the contract of its results; null where it declares none. */
  readonly resultSchema: JsonSchema | null;
}

/** Where a run stands, as a tool tells it. */
export interface ServedRun {
  readonly run_id: string;
  readonly status: string;
  readonly result: unknown;
  readonly error: unknown;
}

/** One call of a tool. */
export interface ServedCall {
  /** Aborted when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  /** Tells the client what has just happened, where it asked for that. */
  readonly onProgress: (message: string) => Promise<void>;
}

/** What a server of the protocol needs of the runs behind it, for one caller. */
export interface TeamsPort {
  listTeams(): Promise<readonly ServedTeam[]>;
  /**
   * Begins a run.
   *
   * @throws {SutureError} It is refused; the client is told why.
   */
  begin(team: string, input: unknown): Promise<{ readonly run_id: string }>;
  /** Waits for a run's end for a bounded time, and returns how it is then. @throws {SutureError} */
  follow(runId: string, call: ServedCall): Promise<ServedRun>;
  /** Cancels a run. @throws {SutureError} The caller may not. */
  cancel(runId: string): Promise<ServedRun>;
}
