/** One process that the launcher runs. */
export interface ServiceSpec {
  /** Unique; also the name of its log and of its key file. */
  readonly name: string;
  /** The service's `main.ts`, absolute. */
  readonly script: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}
