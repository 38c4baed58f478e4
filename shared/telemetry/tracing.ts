/** Tracing as it runs in this process. */
export interface Tracing {
  /** Sends what is left and ends. Never rejects: a collector that is away must not turn a clean stop into a crash. */
  shutdown(): Promise<void>;
}
