import { serveHealth } from "#shared/http";
import { every, startAgents } from "#shared/runtime/process";
import type { RunningAgents } from "#shared/runtime/process";
import { compareClocks, judgeStore } from "#shared/store";
import { retireRuns } from "#shared/store/upkeep";
import { AgentDirectory } from "./bridge.ts";
import type { BridgeParts } from "./bridge.ts";
import { TRIES_MS } from "./carry.ts";
import type { Carrier } from "./carry.ts";
import { exposeMetrics } from "./expose-metrics.ts";
import { PeerLink } from "./link/peer-link.ts";
import { NO_MODEL } from "./no-model.ts";
import { servePeers } from "./receive/serve-peers.ts";
import { withProxies } from "./proxies.ts";
import { sendNews } from "./send-news.ts";

/** A running bridge. */
export interface RunningBridge {
  /** Address for peers, and address of the health probes. */
  readonly url: string;
  readonly statusUrl: string;
  /** Rejects when a consumer stays silent through its restarts; the process should then end. Never resolves. */
  readonly failed: Promise<never>;
  /** Stops taking jobs, gives those in flight `graceMs` to end, and returns the rest to the queues. */
  stop(graceMs: number): Promise<void>;
}

const RELAY_EVERY_MS = 1000;
const RETIRE_EVERY_MS = 5000;

/** Interval between two clock checks against Redis, in ms. */
const CLOCK_CHECK_EVERY_MS = 10_000;

/**
 * Joins this cluster to its peers: carries messages to agents of other clusters, accepts messages for agents of this
 * cluster, and reports to each run's home what happens here. Several bridges may run for one cluster. The caller closes
 * the parts.
 *
 * @param options.triesMs - Timeout of one delivery, in ms. Default 15,000.
 */
export async function startBridge(
  parts: BridgeParts,
  options: { readonly triesMs?: number } = {},
): Promise<RunningBridge> {
  const { config, store, logger, metrics } = parts;
  const directory = new AgentDirectory(parts);
  const stopping = new AbortController();
  const links = config.peers.map((peer) => new PeerLink(peer, config));
  const newsRefused = metrics.counter({
    name: "suture_bridge_news_refused_total",
    help: "Changes of runs reported by peers and not applied, by reason; `early` ones are sent again.",
    labels: ["cluster", "reason"],
  });
  const peers = await servePeers({ ...parts, directory, newsRefused });
  const status = await serveHealth({
    host: config.host,
    port: config.statusPort,
    metrics,
    // A link that is down does not make the bridge unready: the peer may still reach it.
    judge: async () => (stopping.signal.aborted ? "stopping" : judgeStore(store)),
  });
  const proxies = await startProxies(parts, { links, triesMs: options.triesMs ?? TRIES_MS });
  const senders = links.map((link) => sendNews({ parts, directory, link }, stopping.signal));
  const timers = [
    every(RELAY_EVERY_MS, () => store.settlement.relay("runs"), logger),
    every(RETIRE_EVERY_MS, () => retireRuns(store), logger),
    every(CLOCK_CHECK_EVERY_MS, () => compareClocks(store.redis), logger),
  ];
  exposeMetrics(parts, links);
  return {
    url: peers.url,
    statusUrl: status.url,
    failed: proxies?.failed ?? new Promise<never>(() => undefined),
    async stop(graceMs) {
      stopping.abort();
      await Promise.all([proxies?.stop(graceMs), peers.stop(graceMs), ...senders]);
      for (const stop of timers) stop();
      for (const link of links) link.close();
      await status.stop();
    },
  };
}

/** Starts a worker for each remote agent's queue; null when no peer has an agent of the loaded teams. */
async function startProxies(
  parts: BridgeParts,
  { links, triesMs }: { readonly links: readonly PeerLink[]; readonly triesMs: number },
): Promise<RunningAgents | null> {
  const { config, store, teams, logger } = parts;
  const homeOf = async (runId: string): Promise<string> =>
    (await store.crossings.homeOf(runId)) ?? config.cluster;
  const carriers = new Map(
    links.flatMap((link) =>
      link.peer.agents.map((agent): [string, Carrier] => [agent, { link, homeOf, triesMs }]),
    ),
  );
  const known = new Set(teams.flatMap((team) => [...team.agents.keys()]));
  const remote = [...carriers.keys()].filter((agent) => known.has(agent));
  const strangers = [...carriers.keys()].filter((agent) => !known.has(agent));
  if (strangers.length > 0)
    logger.warn({ agents: strangers }, "SUTURE_BRIDGE_PEERS names agents that no loaded team has");
  if (remote.length === 0) return null;
  return startAgents({
    teams: teams.map((team) => withProxies(team, { carriers, window: config.window })),
    only: remote,
    store,
    keyring: parts.keyring,
    model: NO_MODEL,
    logger,
    metrics: parts.metrics,
    limits: parts.limits,
    concurrency: config.window,
    lockMs: parts.lockMs,
    stalledIntervalMs: parts.stalledIntervalMs,
    ...(parts.guard === undefined ? {} : { guard: parts.guard }),
  });
}
