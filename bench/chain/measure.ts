import { loadavg } from "node:os";
import { RemotePeer } from "../peer/remote-peer.ts";
import type { Load } from "../peer/remote-peer.ts";
import type { PeerRow } from "../peers/peers.ts";
import type { Server, ServerCost } from "../peers/server.ts";
import { median, toRatios, toSpread } from "../quantile.ts";
import type { ChainSettings } from "./settings.ts";

/** One peer's part of a pair. */
export interface Slice {
  readonly single: Load;
  readonly saturated: Load & { readonly server: ServerCost };
}

/** Slices of both peers that were taken one right after the other. */
export interface Pair {
  readonly anchor: Slice;
  readonly peer: Slice;
}

export interface Round {
  readonly pairs: readonly Pair[];
  /** Of the machine, over the last minute, when the round was done. */
  readonly loadAverage: number;
}

/** A peer, the servers that it gets, and the checkout that it runs from. Default: this one. */
export type Contender = Pick<PeerRow, "title" | "peer" | "withServer"> & { readonly checkout?: string };

/** The two that are measured beside each other. */
export interface ChainRun {
  readonly anchor: Contender;
  readonly peer: Contender;
  readonly say: (line: string) => void;
}

/** Measures a peer beside an anchor, in turns of about a second, so that the machine's other work falls on both. */
export async function measureChain(settings: ChainSettings, run: ChainRun): Promise<Round[]> {
  const rounds: Round[] = [];
  while (rounds.length < settings.roundsMax) {
    if (rounds.length >= settings.roundsMin && agree(rounds, settings.spreadMax)) break;
    rounds.push(await measureRound(settings, run));
    const speed = median(throughputRatios(rounds)).toFixed(2);
    run.say(`${run.peer.title}: round ${rounds.length}, throughput ${speed} of ${run.anchor.title} so far`);
  }
  return rounds;
}

/** Throughput by the anchor's, of each pair of all rounds. */
export function throughputRatios(rounds: readonly Round[]): number[] {
  const pairs = rounds.flatMap((round) => round.pairs);
  const speeds = (of: keyof Pair): number[] =>
    pairs.map((pair) => pair[of].saturated.latencies.length / pair[of].saturated.seconds);
  return toRatios(speeds("peer"), speeds("anchor"));
}

function agree(rounds: readonly Round[], spreadMax: number): boolean {
  const spread = toSpread(throughputRatios(rounds));
  return spread.p75 - spread.p25 < spreadMax * spread.median;
}

interface Opened {
  readonly remote: RemotePeer;
  readonly server: Server;
}

function measureRound(settings: ChainSettings, { anchor, peer }: Omit<ChainRun, "say">): Promise<Round> {
  return anchor.withServer((anchorServer) =>
    peer.withServer(async (peerServer) => {
      const opened: RemotePeer[] = [];
      const open = async (of: Contender, server: Server): Promise<Opened> => {
        const { concurrency, warmUpRuns: runs, outstanding } = settings;
        const { url, prefix } = server;
        const remote = await RemotePeer.open(of.peer, { url, prefix, concurrency }, of.checkout);
        opened.push(remote);
        await remote.ask("work", null);
        await remote.ask("drive", { runs, outstanding });
        return { remote, server };
      };
      try {
        const on = { anchor: await open(anchor, anchorServer), peer: await open(peer, peerServer) };
        const pairs: Pair[] = [];
        for (let pair = 0; pair < settings.pairs; pair += 1) {
          const isAnchorFirst = pair % 2 === 0;
          const first = await takeSlice(settings, isAnchorFirst ? on.anchor : on.peer);
          const second = await takeSlice(settings, isAnchorFirst ? on.peer : on.anchor);
          pairs.push(isAnchorFirst ? { anchor: first, peer: second } : { anchor: second, peer: first });
        }
        return { pairs, loadAverage: loadavg()[0] ?? Number.NaN };
      } finally {
        await Promise.all(opened.map((remote) => remote.close()));
      }
    }),
  );
}

async function takeSlice(settings: ChainSettings, { remote, server }: Opened): Promise<Slice> {
  const single = await remote.ask("drive", { runs: settings.singleRuns, outstanding: 1 });
  const stop = await server.count();
  const load = await remote.ask("drive", { runs: settings.loadRuns, outstanding: settings.outstanding });
  return { single, saturated: { ...load, server: await stop() } };
}
