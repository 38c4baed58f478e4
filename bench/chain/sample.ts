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
  /** Runs measured one at a time; with runs waiting, urgent ones, as many as end before half of what waits is done. */
  readonly singleRuns: number;
  /** Runs measured at saturation. */
  readonly loadRuns: number;
  /** Runs under way at saturation. */
  readonly outstanding: number;
  /** Time for all of it, in ms. */
  readonly timeoutMs: number;
}

export interface Sample {
  readonly single: Driven;
  /** Null with runs waiting. */
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
    const on = { redis, request, signal };
    return request.waiting > 0 ? await sampleWithBacklog(peer, on) : await sampleIdle(peer, on);
  } finally {
    await peer.close();
    redis.disconnect();
  }
}

function open({ peer, url, concurrency }: SampleRequest): ChainPeer {
  const options = { url, prefix: "bench", concurrency };
  return peer === "bullmq" ? openRawBullmq(options) : openSuture(options);
}

interface Bench {
  readonly redis: Redis;
  readonly request: SampleRequest;
  readonly signal: AbortSignal;
}

async function sampleIdle(peer: ChainPeer, bench: Bench): Promise<Sample> {
  const { warmUpRuns, singleRuns, loadRuns, outstanding } = bench.request;
  const shared = { priority: "normal", signal: bench.signal } as const;
  await peer.work();
  await drive(peer, { ...shared, runs: warmUpRuns, outstanding });
  const single = await drive(peer, { ...shared, runs: singleRuns, outstanding: 1 });
  return { single, load: loadRuns > 0 ? await saturate(peer, bench) : null, bytesPerWaiting: null };
}

async function sampleWithBacklog(peer: ChainPeer, { redis, request, signal }: Bench): Promise<Sample> {
  const { waiting, singleRuns } = request;
  const before = await readUsedMemory(redis);
  const remaining = await fill(peer, waiting);
  const bytesPerWaiting = ((await readUsedMemory(redis)) - before) / waiting;
  await peer.work();
  const single = await drive(peer, {
    runs: singleRuns,
    outstanding: 1,
    priority: "high",
    signal,
    isOver: () => remaining() < waiting / 2,
  });
  return { single, load: null, bytesPerWaiting };
}

async function saturate(peer: ChainPeer, { redis, request, signal }: Bench): Promise<Load> {
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
