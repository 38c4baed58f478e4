import { findWhyNotReplicated } from "../peer/replicated.ts";
import { withRedis, withReplicatedRedis } from "../with-redis.ts";
import { measureChain } from "./measure.ts";
import type { Round } from "./measure.ts";
import { toChainReport } from "./report.ts";
import type { ChainReport } from "./report.ts";
import type { ChainSettings } from "./settings.ts";

type Say = (line: string) => void;

/** Measures the price of a hop, and the price of a hop that a replica confirms. */
export async function runChain(settings: ChainSettings, say: Say): Promise<ChainReport> {
  const rounds = await measureChain(settings, {
    withServer: (use) => withRedis({ say }, use),
    suture: "suture",
    say,
  });
  return toChainReport(rounds, { settings, replicated: await measureReplicated(settings, say) });
}

/** @returns why it is not available, if it is not. */
async function measureReplicated(settings: ChainSettings, say: Say): Promise<readonly Round[] | string> {
  const reason = findWhyNotReplicated();
  if (reason !== null) return reason;
  const rounds = await measureChain(settings, {
    withServer: (use) => withReplicatedRedis({ say }, use),
    suture: "suture_replicated",
    say,
  });
  // A figure for what nobody waited for would be a lie.
  const waits = rounds.flatMap(({ pairs }) =>
    pairs.map(({ suture }) => suture.saturated.redis.byName["wait"]),
  );
  return waits.every((wait) => wait !== undefined) ? rounds : "no write waited for the replica";
}
