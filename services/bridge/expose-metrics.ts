import type { BridgeParts } from "./bridge.ts";
import type { PeerLink } from "./link/peer-link.ts";

/** Registers the gauges of a bridge: link state, unconfirmed messages and unconfirmed news. */
export function exposeMetrics({ metrics, store, config }: BridgeParts, links: readonly PeerLink[]): void {
  const up = metrics.gauge({
    name: "suture_bridge_link_up",
    help: "1 while the connection to a peer is established.",
    labels: ["cluster"],
  });
  const waiting = metrics.gauge({
    name: "suture_bridge_messages",
    help: "Messages to remote agents that their cluster has not confirmed.",
    labels: ["agent", "state"],
  });
  const news = metrics.gauge({
    name: "suture_bridge_news",
    help: "Changes of runs kept by a peer that the peer has not confirmed.",
    labels: ["cluster"],
  });
  metrics.collect(async () => {
    for (const link of links) {
      up.set({ cluster: link.peer.cluster }, link.isUp ? 1 : 0);
      news.set({ cluster: link.peer.cluster }, await store.crossings.countReturns(link.peer.cluster));
    }
    for (const agent of config.peers.flatMap((peer) => peer.agents)) {
      const [fresh, retry] = await Promise.all([
        store.queues.of(agent, "fresh").getJobCounts("wait", "prioritized", "active"),
        store.queues.of(agent, "retry").getJobCounts("wait", "prioritized", "active", "delayed"),
      ]);
      const count = (...names: readonly string[]): number =>
        names.reduce((sum, name) => sum + (fresh[name] ?? 0) + (retry[name] ?? 0), 0);
      waiting.set({ agent, state: "waiting" }, count("wait", "prioritized"));
      waiting.set({ agent, state: "under_way" }, count("active"));
      waiting.set({ agent, state: "delayed" }, count("delayed"));
    }
  });
}
