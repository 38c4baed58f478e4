/** Candidates for a rejected message. Plain names of agents. */
export interface Receivers {
  /** Fallbacks that the sender declares for the edge, in order. */
  readonly fallbacks: readonly string[];
  /** Live agents with the required capabilities that accept the contract. */
  readonly capable: readonly string[];
  /** Agents that have rejected this message. */
  readonly taboo: readonly string[];
}

/** Returns the next agent for a rejected message; null if only a person is left. Pure. */
export function chooseReceiver(receivers: Receivers): string | null {
  const candidates = [...receivers.fallbacks, ...receivers.capable];
  return candidates.find((name) => !receivers.taboo.includes(name)) ?? null;
}
