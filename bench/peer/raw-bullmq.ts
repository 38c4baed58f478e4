import { Queue, Worker } from "bullmq";
import type { Job } from "bullmq";
import { Redis } from "ioredis";
import { uuidv7 } from "#shared/clock";
import { createPayload } from "./payload.ts";
import type { Payload } from "./payload.ts";
import { Ends, RETENTION } from "./peer.ts";
import type { ChainPeer, PeerOptions } from "./peer.ts";

const AGENTS = ["first", "second", "third"] as const;

/** The anchor: BullMQ that adds and processes, without seal, schema or ledger; a crash may hand work on twice. */
export function openRawBullmq({ url, prefix, concurrency }: PeerOptions): ChainPeer {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const shared = { connection, prefix };
  const queues = new Map<string, Queue<Payload>>(
    AGENTS.map((name) => [name, new Queue<Payload>(name, shared)]),
  );
  const ends = new Ends();
  const workers: Worker<Payload>[] = [];
  const add = async (queue: string, job: { readonly id: string; readonly data: Payload }): Promise<void> => {
    await queues.get(queue)?.add("handoff", job.data, {
      jobId: job.id,
      removeOnComplete: RETENTION,
    });
  };
  const handle = (next: string | undefined) => async (job: Job<Payload>) => {
    if (next === undefined) return;
    await add(next, { id: job.id ?? "", data: job.data });
  };
  return {
    ends,
    async submit({ onEnd }) {
      const id = uuidv7();
      ends.expect(id, onEnd);
      await add(AGENTS[0], { id, data: createPayload() });
    },
    async work() {
      for (const [index, name] of AGENTS.entries()) {
        workers.push(new Worker<Payload>(name, handle(AGENTS[index + 1]), { ...shared, concurrency }));
      }
      // Told after Redis has taken the finish, as Suture's end is.
      workers.at(-1)?.on("completed", (job) => ends.end(job.id ?? ""));
      await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    },
    async close() {
      await Promise.allSettled(workers.map((worker) => worker.close(true)));
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}
