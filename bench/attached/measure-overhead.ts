import { Queue, Worker } from "bullmq";
import type { Job } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";
import { median, quantile } from "../quantile.ts";

export const OVERHEAD_SETTINGS = { jobs: 4000, rounds: 120, concurrency: 50 };
export const QUICK_OVERHEAD_SETTINGS: typeof OVERHEAD_SETTINGS = {
  ...OVERHEAD_SETTINGS,
  rounds: 6,
};

/** Jobs per second over the rounds, and what of it is noise. */
export interface OverheadReport {
  readonly plain: readonly number[];
  readonly attached: readonly number[];
  /** Attached divided by plain. */
  readonly ratio: Spread;
  /** Plain divided by plain of the same round: what the machine alone does to such a ratio. */
  readonly control: Spread;
  /** The same of the worker's CPU time for a job, which the rest of the machine moves less. */
  readonly cpu: Spread;
  readonly cpu_control: Spread;
}

interface Round {
  readonly perSecond: number;
  /** Of this process for a job, in µs. */
  readonly cpuUs: number;
}

/** A median, and the interval in which it lies with 95 % by the order of the values. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

const ARMS = ["plain", "control", "attached"] as const;

/** Measures what a ward costs a queue whose jobs succeed. Rounds alternate, so that a busy machine strikes both. */
export async function measureOverhead(
  url: string,
  { jobs, rounds, concurrency }: typeof OVERHEAD_SETTINGS,
): Promise<OverheadReport> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const connection = { url, maxRetriesPerRequest: null };
  const round = async (isAttached: boolean): Promise<Round> => {
    await redis.flushall();
    const queue = new Queue("orders", { connection });
    const data = { order: "o", amount: 1 };
    await queue.addBulk(Array.from({ length: jobs }, () => ({ name: "order", data })));
    const contract = { schema: z.strictObject({ order: z.string(), amount: z.int() }) };
    const ward = new BullmqWard(queue, { redis, contract, mode: "redrive", mayRepeatEffects: true });
    const end = new AbortController();
    const swept = Promise.withResolvers<void>();
    const running = isAttached
      ? ward.run({ everyMs: 1000, signal: end.signal, onSweep: () => swept.resolve() })
      : Promise.resolve();
    // A ward starts once in the life of a process; its price for a job is asked here.
    if (isAttached) await swept.promise;
    const work = (_job: Job): Promise<string> => Promise.resolve("done");
    const processor = isAttached ? ward.keep(work) : work;
    const drained = Promise.withResolvers<void>();
    let done = 0;
    const worker = new Worker("orders", processor, { connection, concurrency, autorun: false });
    worker.on("completed", () => {
      done += 1;
      if (done === jobs) drained.resolve();
    });
    await worker.waitUntilReady();
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    const run = worker.run();
    await drained.promise;
    const perSecond = (jobs * 1000) / (performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpu);
    end.abort();
    await running;
    await worker.close();
    await run;
    await queue.close();
    return { perSecond, cpuUs: (user + system) / jobs };
  };
  const of: Record<(typeof ARMS)[number], Round[]> = { plain: [], control: [], attached: [] };
  // The first of each is warm-up; who begins changes with each round.
  for (let n = 0; n <= rounds; n += 1)
    for (let at = 0; at < ARMS.length; at += 1) {
      const arm = ARMS[(n + at) % ARMS.length] ?? "plain";
      const measured = await round(arm === "attached");
      if (n > 0) of[arm].push(measured);
    }
  redis.disconnect();
  const rate = (arm: keyof typeof of): number[] => of[arm].map(({ perSecond }) => perSecond);
  const cpu = (arm: keyof typeof of): number[] => of[arm].map(({ cpuUs }) => cpuUs);
  return {
    plain: rate("plain"),
    attached: rate("attached"),
    ratio: spreadOf(rate("attached"), rate("plain")),
    control: spreadOf(rate("control"), rate("plain")),
    cpu: spreadOf(cpu("attached"), cpu("plain")),
    cpu_control: spreadOf(cpu("control"), cpu("plain")),
  };
}

function spreadOf(of: readonly number[], by: readonly number[]): Spread {
  const ratios = of.map((one, at) => one / (by[at] ?? Number.NaN));
  const half = 0.98 / Math.sqrt(ratios.length);
  return {
    median: median(ratios),
    low: quantile(ratios, Math.max(0, 0.5 - half)),
    high: quantile(ratios, Math.min(1, 0.5 + half)),
  };
}
