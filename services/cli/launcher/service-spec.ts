/** One process that the launcher runs. */
export interface ServiceSpec {
  /** Unique; also the name of its log and of its key file. */
  readonly name: string;
  /** The service's `main.ts`, absolute. */
  readonly script: string;
  readonly args: readonly string[];
  /** Agents and services whose keys it gets. */
  readonly agents: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/**
 * Returns the arguments with which Node runs a service. SIGUSR1 would open an inspector, through which every program of
 * the same user reads all that the process knows: Node is told to leave it alone.
 */
export function nodeArgs(spec: ServiceSpec, options: readonly string[] = []): string[] {
  return ["--disable-sigusr1", ...options, spec.script, ...spec.args];
}
