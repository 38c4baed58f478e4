/** Packages that a project brings itself, so that its objects and ours are of one copy. */
export const PEERS: readonly string[] = ["zod", "bullmq"];

/**
 * Releases of peers that work, where these are more than those from the one this repository has: `npm run
 * bullmq-matrix` tries them. Agents need BullMQ 6.7, and say so.
 */
export const PEER_RANGES: Readonly<Record<string, string>> = {
  bullmq: "^5.80.0 || ^6.0.0",
  "@nestjs/bullmq": "^11.0.0 || ^12.0.0",
  "@nestjs/common": "^11.0.0 || ^12.0.0",
};
