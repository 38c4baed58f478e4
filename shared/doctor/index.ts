export { checkArchive } from "./check-archive.ts";
export { checkRedis } from "./check-redis.ts";
export { failed, findingSchema, ok, open, unlessFound } from "./finding.ts";
export type { Finding } from "./finding.ts";
