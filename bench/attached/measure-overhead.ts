import { Queue, Worker } from "bullmq";
import type { Job } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";

export const OVERHEAD_SETTINGS = { jobs: 6000, rounds: 15, concurrency: 50 };
export const QUICK_OVERHEAD_SETTINGS: typeof OVERHEAD_SETTINGS = {
  ...OVERHEAD_SETTINGS,
  jobs: 1500,
  rounds: 4,
};

/** Jobs per second of each round, plain and with a ward in `redrive` and `keep` round the processor, in turn. */
export interface OverheadReport {
  readonly plain: readonly number[];
  readonly attached: readonly number[];
  /** Median over the rounds of attached divided by plain. */
  readonly ratio: number;
}

/** Measures what a ward costs a queue whose jobs succeed. Rounds alternate, so that a busy machine strikes both. */
export async function measureOverhead(
  url: string,
  { jobs, rounds, concurrency }: typeof OVERHEAD_SETTINGS,
): Promise<OverheadReport> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const connection = { url, maxRetriesPerRequest: null };
  const [plain, attached]: [number[], number[]] = [[], []];
  const round = async (isAttached: boolean): Promise<number> => {
    await redis.flushall();
    const queue = new Queue("orders", { connection });
    const data = { order: "o", amount: 1 };
    await queue.addBulk(Array.from({ length: jobs }, () => ({ name: "order", data })));
    const contract = { schema: z.strictObject({ order: z.string(), amount: z.int() }) };
    const ward = new BullmqWard(queue, { redis, contract, mode: "redrive", mayRepeatEffects: true });
    const end = new AbortController();
    const running = isAttached ? ward.run({ everyMs: 1000, signal: end.signal }) : Promise.resolve();
    const work = (_job: Job): Promise<string> => Promise.resolve("done");
    const process = isAttached ? ward.keep(work) : work;
    const drained = Promise.withResolvers<void>();
    let done = 0;
    const worker = new Worker("orders", process, { connection, concurrency, autorun: false });
    worker.on("completed", () => {
      done += 1;
      if (done === jobs) drained.resolve();
    });
    await worker.waitUntilReady();
    const startedAt = performance.now();
    const run = worker.run();
    await drained.promise;
    const perSecond = (jobs * 1000) / (performance.now() - startedAt);
    end.abort();
    await running;
    await worker.close();
    await run;
    await queue.close();
    return perSecond;
  };
  // The first of each is warm-up.
  for (let n = 0; n <= rounds; n += 1)
    for (const isAttached of n % 2 === 0 ? [false, true] : [true, false])
      (isAttached ? attached : plain).push(await round(isAttached));
  redis.disconnect();
  const ratios = plain.map((one, at) => (attached[at] ?? 0) / one).slice(1);
  const sorted = ratios.toSorted((a, b) => a - b);
  const ratio = ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  return { plain: plain.slice(1), attached: attached.slice(1), ratio };
}
