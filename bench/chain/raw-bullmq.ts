import { Queue, Worker } from "bullmq";
import type { Job } from "bullmq";
import { Redis } from "ioredis";
import { uuidv7 } from "#shared/clock";
import { createPayload } from "./payload.ts";
import type { Payload } from "./payload.ts";
import { Awaited, RETENTION } from "./peer.ts";
import type { ChainPeer, PeerOptions } from "./peer.ts";

const AGENTS = ["first", "second", "third"] as const;

/**
 * The anchor: BullMQ that adds and processes, and does nothing else. No seal, no schema, no ledger; a crash between a
 * worker's add and its finish hands the work on twice.
 */
export function openRawBullmq({ url, prefix, concurrency }: PeerOptions): ChainPeer {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const shared = { connection, prefix };
  const queues = AGENTS.map((name) => new Queue<Payload>(name, shared));
  const awaited = new Awaited();
  const workers: Worker<Payload>[] = [];
  const add = async (
    index: number,
    job: { id: string; data: Payload; isFirstInLine: boolean },
  ): Promise<void> => {
    await queues[index]?.add("handoff", job.data, {
      jobId: job.id,
      lifo: job.isFirstInLine,
      removeOnComplete: RETENTION,
    });
  };
  const handle = (index: number) => async (job: Job<Payload>) => {
    if (index + 1 === AGENTS.length) return;
    await add(index + 1, { id: job.id ?? "", data: job.data, isFirstInLine: job.opts.lifo === true });
  };
  return {
    async submit(priority) {
      const id = uuidv7();
      const ended = awaited.expect(id);
      await add(0, { id, data: createPayload(), isFirstInLine: priority === "high" });
      return { ended };
    },
    async work() {
      for (const [index, name] of AGENTS.entries()) {
        workers.push(new Worker<Payload>(name, handle(index), { ...shared, concurrency }));
      }
      // Told after Redis has taken the finish, as Suture's end is.
      workers.at(-1)?.on("completed", (job) => awaited.end(job.id ?? ""));
      await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    },
    async close() {
      await Promise.allSettled(workers.map((worker) => worker.close(true)));
      await Promise.allSettled(queues.map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}
