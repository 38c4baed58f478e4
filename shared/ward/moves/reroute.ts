/** Who might take a message that was rejected. Plain names of agents. */
export interface Receivers {
  /** What the sender declares for the edge, in order. */
  readonly fallbacks: readonly string[];
  /** Live agents that have the capabilities asked for and accept the contract. */
  readonly capable: readonly string[];
  /** Agents that rejected this message. */
  readonly taboo: readonly string[];
}

/** The next agent to offer a rejected message to; null when nobody is left but a person. Pure. */
export function chooseReceiver(receivers: Receivers): string | null {
  const candidates = [...receivers.fallbacks, ...receivers.capable];
  return candidates.find((name) => !receivers.taboo.includes(name)) ?? null;
}
