import { loadavg } from "node:os";
import type { Load } from "../peer/calls.ts";
import { HOPS } from "../peer/peer.ts";
import { RemotePeer } from "../peer/remote-peer.ts";
import { median, toLatency, toRatios, toSpread } from "../quantile.ts";
import type { Latency, Spread } from "../quantile.ts";
import { installPeers } from "./install-peers.ts";
import { ANCHOR_ROW, PEER_ROWS } from "./peers.ts";
import type { PeerRow } from "./peers.ts";
import type { Server } from "./server.ts";

export const PEERS_SETTINGS = {
  /** Each with new servers. */
  rounds: 2,
  /** Pairs of slices in a round, one of the peer and one of raw BullMQ right beside it. */
  pairs: 3,
  concurrency: 50,
  outstanding: 100,
  warmUpRuns: 300,
  singleRuns: 30,
  loadRuns: 300,
};

export type PeersSettings = Readonly<typeof PEERS_SETTINGS>;

export const QUICK_PEERS_SETTINGS: PeersSettings = {
  ...PEERS_SETTINGS,
  rounds: 1,
  pairs: 2,
  warmUpRuns: 150,
  singleRuns: 15,
  loadRuns: 150,
};

/** A peer's figures: medians of its slices, quantiles of all runs, ratios of each pair. */
export interface PeerReport {
  readonly id: string;
  readonly title: string;
  readonly promise: string;
  readonly hops_per_second: number;
  /** Throughput by raw BullMQ's. */
  readonly ratio_to_bullmq: number;
  readonly pairs: Spread;
  readonly single: Latency;
  readonly saturated: Latency;
  readonly node_cpu_ms_per_1000_hops: number;
  /** Null where the system does not tell. */
  readonly server_cpu_ms_per_1000_hops: number | null;
  /** CPU of Node and server by raw BullMQ's; null where the system does not tell. */
  readonly cpu_ratio_to_bullmq: number | null;
}

export interface PeersReport {
  readonly settings: PeersSettings;
  readonly bullmq: PeerReport;
  readonly peers: readonly (
    | PeerReport
    | { readonly id: string; readonly title: string; readonly not_available: string }
  )[];
  readonly load_averages: readonly number[];
}

interface Slice {
  readonly single: Load;
  readonly saturated: Load;
  readonly serverCpuMs: number;
}

interface Pair {
  readonly anchor: Slice;
  readonly peer: Slice;
}

/** Measures each peer beside raw BullMQ; both live at the same time and take turns, each on its own server. */
export async function measurePeers(
  settings: PeersSettings,
  say: (line: string) => void,
): Promise<PeersReport> {
  const missing = await installPeers(say);
  const anchors: Slice[] = [];
  const peers: PeersReport["peers"][number][] = [];
  const loads: number[] = [];
  for (const row of PEER_ROWS) {
    const { id, title } = row;
    const obstacle = (row.isInstalledApart ? missing : null) ?? row.findObstacle();
    if (obstacle !== null) {
      peers.push({ id, title, not_available: obstacle });
      continue;
    }
    const pairs: Pair[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      say(`peers: ${title}, round ${round + 1} of ${settings.rounds}`);
      pairs.push(...(await measureRound(settings, { row, say })));
      loads.push(loadavg()[0] ?? Number.NaN);
    }
    anchors.push(...pairs.map(({ anchor }) => anchor));
    const figures = toPeerReport(row, pairs);
    // Said at once: a run that is interrupted has then told something.
    say(`peers: ${title}, ${figures.ratio_to_bullmq.toFixed(2)} of raw BullMQ`);
    peers.push(figures);
  }
  const bullmq = toPeerReport(
    ANCHOR_ROW,
    anchors.map((anchor) => ({ anchor, peer: anchor })),
  );
  return { settings, bullmq, peers, load_averages: loads };
}

interface Opened {
  readonly remote: RemotePeer;
  readonly server: Server;
}

function measureRound(
  settings: PeersSettings,
  { row, say }: { readonly row: PeerRow; readonly say: (line: string) => void },
): Promise<Pair[]> {
  return ANCHOR_ROW.withServer(say, (anchorServer) =>
    row.withServer(say, async (server) => {
      const opened: Opened[] = [];
      const open = async (of: PeerRow, on: Server): Promise<Opened> => {
        const { url, adminUrl: prefix } = on;
        const { concurrency, warmUpRuns: runs, outstanding } = settings;
        const isOnRedis = url.startsWith("redis:");
        const options = { url, prefix: isOnRedis ? "bench" : prefix, concurrency };
        const remote = await RemotePeer.open(of.peer, options);
        opened.push({ remote, server: on });
        await remote.ask("work", null);
        await remote.ask("drive", { runs, outstanding });
        return { remote, server: on };
      };
      try {
        const anchor = await open(ANCHOR_ROW, anchorServer);
        return await takePairs(settings, { anchor, peer: await open(row, server) });
      } finally {
        await Promise.all(opened.map(({ remote }) => remote.close()));
      }
    }),
  );
}

async function takePairs(
  settings: PeersSettings,
  on: { readonly anchor: Opened; readonly peer: Opened },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let pair = 0; pair < settings.pairs; pair += 1) {
    // Who begins changes, so that neither always finds the machine as the other left it.
    if (pair % 2 === 0) {
      const anchor = await takeSlice(settings, on.anchor);
      pairs.push({ anchor, peer: await takeSlice(settings, on.peer) });
    } else {
      const peer = await takeSlice(settings, on.peer);
      pairs.push({ peer, anchor: await takeSlice(settings, on.anchor) });
    }
  }
  return pairs;
}

async function takeSlice(settings: PeersSettings, { remote, server }: Opened): Promise<Slice> {
  const { singleRuns, loadRuns, outstanding } = settings;
  const single = await remote.ask("drive", { runs: singleRuns, outstanding: 1 });
  const before = await server.cpuMs();
  const saturated = await remote.ask("drive", { runs: loadRuns, outstanding });
  return { single, saturated, serverCpuMs: (await server.cpuMs()) - before };
}

function hopsPerSecond({ saturated }: Slice): number {
  return (saturated.latencies.length * HOPS) / saturated.seconds;
}

function toPeerReport(
  { id, title, promise }: Pick<PeerRow, "id" | "title" | "promise">,
  pairs: readonly Pair[],
): PeerReport {
  const slices = pairs.map(({ peer }) => peer);
  const anchors = pairs.map(({ anchor }) => anchor);
  const perHop = (value: (slice: Slice) => number): number =>
    median(slices.map((slice) => (1000 * value(slice)) / (slice.saturated.latencies.length * HOPS)));
  const spread = toSpread(toRatios(slices.map(hopsPerSecond), anchors.map(hopsPerSecond)));
  const cpu = ({ saturated, serverCpuMs }: Slice): number => saturated.nodeCpuMs + serverCpuMs;
  return {
    id,
    title,
    promise,
    hops_per_second: median(slices.map(hopsPerSecond)),
    ratio_to_bullmq: spread.median,
    pairs: spread,
    single: toLatency(slices.flatMap(({ single }) => single.latencies)),
    saturated: toLatency(slices.flatMap(({ saturated }) => saturated.latencies)),
    node_cpu_ms_per_1000_hops: perHop(({ saturated }) => saturated.nodeCpuMs),
    server_cpu_ms_per_1000_hops: finiteOrNull(perHop(({ serverCpuMs }) => serverCpuMs)),
    cpu_ratio_to_bullmq: finiteOrNull(median(toRatios(slices.map(cpu), anchors.map(cpu)))),
  };
}

/** JSON has no NaN. */
function finiteOrNull(figure: number): number | null {
  return Number.isFinite(figure) ? figure : null;
}
