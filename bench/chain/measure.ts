import { loadavg } from "node:os";
import { Redis } from "ioredis";
import type { Load } from "../peer/calls.ts";
import type { RedisPeerName } from "../peer/peer.ts";
import { RemotePeer } from "../peer/remote-peer.ts";
import { median, toRatios, toSpread } from "../quantile.ts";
import { countRedisWork, empty } from "../redis-cost.ts";
import type { RedisCost } from "../redis-cost.ts";
import type { ChainSettings } from "./settings.ts";

/** One peer's part of a pair. */
export interface Slice {
  readonly single: Load;
  readonly saturated: Load & { readonly redis: RedisCost };
}

/** Slices of both peers that were taken one right after the other. */
export interface Pair {
  readonly anchor: Slice;
  readonly suture: Slice;
}

export interface Round {
  readonly pairs: readonly Pair[];
  /** Of the machine, over the last minute, when the round was done. */
  readonly loadAverage: number;
}

/** Where a profile's servers are, and who uses them. */
export interface ChainRun {
  /** Lends an empty Redis to the use. */
  readonly withServer: <Result>(use: (url: string) => Promise<Result>) => Promise<Result>;
  readonly suture: RedisPeerName;
  /** The peer it is measured beside. Default: raw BullMQ, of this checkout. */
  readonly anchor?: Anchor;
  readonly say: (line: string) => void;
}

/** A peer, and the checkout that it runs from. */
export interface Anchor {
  readonly peer: RedisPeerName;
  /** Folder with its dependencies installed. Default: this one. */
  readonly checkout?: string;
}

/**
 * Measures a peer beside raw BullMQ, or beside another anchor. Both live at the same time, in processes of their own,
 * and take turns of about a second, so that what else the machine does falls on both; who begins changes with each
 * pair.
 */
export async function measureChain(settings: ChainSettings, run: ChainRun): Promise<Round[]> {
  return run.withServer(async (url) => {
    const rounds: Round[] = [];
    while (rounds.length < settings.roundsMax) {
      if (rounds.length >= settings.roundsMin && agree(rounds, settings.spreadMax)) break;
      rounds.push(await measureRound(settings, { ...run, url }));
      const speed = median(throughputRatios(rounds)).toFixed(2);
      const anchor = run.anchor === undefined ? "raw BullMQ" : `the other ${run.anchor.peer}`;
      run.say(`chain, ${run.suture}: round ${rounds.length}, throughput ${speed} of ${anchor} so far`);
    }
    return rounds;
  });
}

/** Throughput by raw BullMQ's, of each pair of all rounds. */
export function throughputRatios(rounds: readonly Round[]): number[] {
  const pairs = rounds.flatMap((round) => round.pairs);
  const speeds = (of: keyof Pair): number[] =>
    pairs.map((pair) => pair[of].saturated.latencies.length / pair[of].saturated.seconds);
  return toRatios(speeds("suture"), speeds("anchor"));
}

function agree(rounds: readonly Round[], spreadMax: number): boolean {
  const spread = toSpread(throughputRatios(rounds));
  return spread.p75 - spread.p25 < spreadMax * spread.median;
}

async function measureRound(
  settings: ChainSettings,
  on: Pick<ChainRun, "suture" | "anchor"> & { readonly url: string },
): Promise<Round> {
  const redis = new Redis(on.url);
  const opened: RemotePeer[] = [];
  const open = async (name: RedisPeerName, checkout?: string): Promise<RemotePeer> => {
    const prefix = `bench-${opened.length}-${name}`;
    const options = { url: on.url, prefix, concurrency: settings.concurrency };
    const peer = await RemotePeer.open(name, options, checkout);
    opened.push(peer);
    await peer.ask("work", null);
    await peer.ask("drive", { runs: settings.warmUpRuns, outstanding: settings.outstanding });
    return peer;
  };
  try {
    await empty(redis);
    // A rewrite of the append-only file takes a core for seconds and falls on whoever has the turn.
    await redis.config("SET", "auto-aof-rewrite-percentage", "0");
    const anchor = await open(on.anchor?.peer ?? "bullmq", on.anchor?.checkout);
    const suture = await open(on.suture);
    const pairs: Pair[] = [];
    for (let pair = 0; pair < settings.pairs; pair += 1) {
      const isAnchorFirst = pair % 2 === 0;
      const first = await takeSlice({ peer: isAnchorFirst ? anchor : suture, redis, settings });
      const second = await takeSlice({ peer: isAnchorFirst ? suture : anchor, redis, settings });
      pairs.push(isAnchorFirst ? { anchor: first, suture: second } : { anchor: second, suture: first });
    }
    return { pairs, loadAverage: loadavg()[0] ?? Number.NaN };
  } finally {
    await Promise.all(opened.map((peer) => peer.close()));
    redis.disconnect();
  }
}

interface Bench {
  readonly peer: RemotePeer;
  readonly redis: Redis;
  readonly settings: ChainSettings;
}

async function takeSlice({ peer, redis, settings }: Bench): Promise<Slice> {
  const single = await peer.ask("drive", { runs: settings.singleRuns, outstanding: 1 });
  const stop = await countRedisWork(redis);
  const load = await peer.ask("drive", { runs: settings.loadRuns, outstanding: settings.outstanding });
  return { single, saturated: { ...load, redis: await stop() } };
}
