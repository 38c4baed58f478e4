import { measureChain } from "../chain/measure.ts";
import { compare } from "../chain/report.ts";
import type { Comparison } from "../chain/report.ts";
import type { ChainSettings } from "../chain/settings.ts";
import { ANCHOR_ROW, PEER_ROWS } from "./peers.ts";
import type { PeerRow } from "./peers.ts";

type Named = Pick<PeerRow, "id" | "title" | "promise">;

/** Figures of `--json` under `peers`. */
export interface PeersReport {
  readonly settings: ChainSettings;
  readonly peers: readonly ((Named & Comparison) | (Named & { readonly not_available: string }))[];
}

/** Measures each peer beside raw BullMQ. */
export async function measurePeers(
  settings: ChainSettings,
  say: (line: string) => void,
): Promise<PeersReport> {
  const peers: PeersReport["peers"][number][] = [];
  for (const row of PEER_ROWS) {
    const { id, title, promise } = row;
    const obstacle = row.findObstacle();
    if (obstacle === null) {
      const rounds = await measureChain(settings, { anchor: ANCHOR_ROW, peer: row, say });
      peers.push({ id, title, promise, ...compare(rounds) });
    } else {
      peers.push({ id, title, promise, not_available: obstacle });
    }
  }
  return { settings, peers };
}
