/** Names that other parts of Suture use for themselves. */
export const RESERVED_AGENT_NAMES: readonly string[] = [
  "gateway",
  "surgeon",
  "relay",
  "ward",
  "console",
  "runs",
];
