import { Redis } from "ioredis";

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
const sorted = times.toSorted((a, b) => a - b);
const slowest = { max: sorted.at(-1) ?? 0, p999: sorted[Math.floor(sorted.length * 0.999)] ?? 0 };
// What was not yet written is lost when the channel is closed.
process.send?.(slowest, () => process.disconnect());
