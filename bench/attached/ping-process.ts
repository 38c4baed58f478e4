import { Redis } from "ioredis";

/** Pings the Redis of the first argument every 2 ms; sends the times in ms when it is told to end. */
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
process.send?.(times);
redis.disconnect();
process.disconnect();
