import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { printTable } from "../print-table.ts";
import { takeCensus } from "./census.ts";
import { openSoakSystem } from "./soak-system.ts";

/** What one kind of record takes when nothing has aged yet. */
export interface Price {
  readonly kind: string;
  readonly keysPer1000: number;
  readonly bytesPer1000: number;
}

const RUNS = 1000;
const HOUR_MS = 3_600_000;
const AT_ONCE = 100;

/** Sends 1,000 runs of every mood through a system that deletes nothing, and weighs what is there. */
export async function priceRuns(url: string, say: (line: string) => void): Promise<Price[]> {
  const redis = new Redis(url);
  const system = await openSoakSystem({
    url,
    prefix: "price",
    retentionMs: 2 * HOUR_MS,
    finishedJobsMax: 1_000_000,
    retireEveryMs: HOUR_MS,
  });
  try {
    for (let n = 0; n < RUNS; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => system.submit(n + i)));
    let waiting = RUNS;
    while (waiting > 0) {
      await system.cleanUp();
      await sleep(100);
      const { queued, running, in_ward, quarantined } = await system.store.runs.counts();
      waiting = queued + running + in_ward + quarantined;
    }
    say(`${RUNS} runs are weighed.`);
    const census = await takeCensus(redis, "price", { isWeighed: true });
    return [...census]
      .map(([kind, { keys, bytes }]) => ({ kind, keysPer1000: keys, bytesPer1000: Math.round(bytes) }))
      .toSorted((a, b) => b.bytesPer1000 - a.bytesPer1000);
  } finally {
    await system.close();
    redis.disconnect();
  }
}

export function printPrices(prices: readonly Price[]): void {
  printTable("What 1,000 runs leave while nothing has aged", [
    ["kind of key", "keys / 1,000 runs", "KiB / 1,000 runs"],
    ...prices.map((price) => [price.kind, String(price.keysPer1000), (price.bytesPer1000 / 1024).toFixed(1)]),
  ]);
}
