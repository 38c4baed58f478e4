/** Packages that a project brings itself, so that its objects and ours are of one copy. */
export const PEERS: readonly string[] = ["zod", "bullmq"];
