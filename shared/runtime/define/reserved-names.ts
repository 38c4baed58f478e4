/** Names that Suture itself uses. */
export const RESERVED_AGENT_NAMES: readonly string[] = ["gateway", "surgeon", "ward", "console", "runs"];
