import { Redis } from "ioredis";
import { quantile } from "../quantile.ts";

/** Pings the Redis of the first argument every 2 ms; sends its slowest times in ms when it is told to end. */
const redis = new Redis(process.argv[2] ?? "");
const times: number[] = [];
const end = new AbortController();
process.once("message", () => end.abort());
await redis.ping();
process.send?.("ready");
while (!end.signal.aborted) {
  const startedAt = performance.now();
  await redis.ping();
  times.push(performance.now() - startedAt);
  await new Promise((resolve) => setTimeout(resolve, 2));
}
redis.disconnect();
const slowest = { max: quantile(times, 1), p999: quantile(times, 0.999) };
// Closing the channel loses a message that is not yet written.
process.send?.(slowest, () => process.disconnect());
