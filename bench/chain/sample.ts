import { Redis } from "ioredis";
import { drive, fill } from "./drive.ts";
import type { Driven } from "./drive.ts";
import { openRawBullmq } from "./raw-bullmq.ts";
import { countRedisWork, empty, readUsedMemory } from "./redis-cost.ts";
import type { RedisCost } from "./redis-cost.ts";
import type { ChainPeer, PeerName } from "./peer.ts";
import { openSuture } from "./suture.ts";

/** Deliveries of one run. */
export const HOPS = 3;

export interface SampleRequest {
  readonly peer: PeerName;
  readonly url: string;
  readonly concurrency: number;
  /** Runs that are not measured, so that code is compiled and scripts are known. */
  readonly warmUpRuns: number;
  /** Runs that wait at the first agent before any agent starts. */
  readonly waiting: number;
  /** Runs measured one at a time. With runs waiting they go to the head of each queue. */
  readonly singleRuns: number;
  /** Runs measured at saturation; none with runs waiting. */
  readonly loadRuns: number;
  readonly outstanding: number;
  /** Time for all of it, in ms. */
  readonly timeoutMs: number;
}

export interface Sample {
  readonly single: Driven;
  /** Null when `loadRuns` is 0. */
  readonly load: Load | null;
  /** Redis memory for each waiting run, in bytes; null when none waited. */
  readonly bytesPerWaiting: number | null;
}

/** Saturation: what it cost, beside how long it took. */
export interface Load extends Driven {
  readonly hopsPerSecond: number;
  /** CPU time of this process: agents and the driver that submits. */
  readonly nodeCpuMs: number;
  readonly redis: RedisCost;
}

/** Takes one sample of one peer in this process, on an emptied Redis. */
export async function takeSample(request: SampleRequest): Promise<Sample> {
  const redis = new Redis(request.url);
  const signal = AbortSignal.timeout(request.timeoutMs);
  const peer = open(request);
  try {
    await empty(redis);
    const bytesPerWaiting = request.waiting > 0 ? await fillAndWeigh(peer, redis, request.waiting) : null;
    await peer.work();
    const priority = request.waiting > 0 ? "high" : "normal";
    const warmUp = { runs: request.warmUpRuns, outstanding: request.outstanding, priority, signal } as const;
    if (request.waiting === 0) await drive(peer, warmUp);
    const single = await drive(peer, { runs: request.singleRuns, outstanding: 1, priority, signal });
    const load = request.loadRuns > 0 ? await saturate(peer, { redis, request, signal }) : null;
    return { single, load, bytesPerWaiting };
  } finally {
    await peer.close();
    redis.disconnect();
  }
}

function open({ peer, url, concurrency }: SampleRequest): ChainPeer {
  return peer === "bullmq" ? openRawBullmq({ url, concurrency }) : openSuture({ url, concurrency });
}

async function fillAndWeigh(peer: ChainPeer, redis: Redis, waiting: number): Promise<number> {
  const before = await readUsedMemory(redis);
  await fill(peer, waiting);
  return ((await readUsedMemory(redis)) - before) / waiting;
}

async function saturate(
  peer: ChainPeer,
  { redis, request, signal }: { redis: Redis; request: SampleRequest; signal: AbortSignal },
): Promise<Load> {
  const { loadRuns: runs, outstanding } = request;
  const stop = await countRedisWork(redis);
  const cpuBefore = process.cpuUsage();
  const driven = await drive(peer, { runs, outstanding, priority: "normal", signal });
  const cpu = process.cpuUsage(cpuBefore);
  return {
    ...driven,
    hopsPerSecond: (runs * HOPS) / driven.seconds,
    nodeCpuMs: (cpu.user + cpu.system) / 1000,
    redis: await stop(),
  };
}
