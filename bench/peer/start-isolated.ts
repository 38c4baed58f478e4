import { Metrics } from "#shared/telemetry";
import type { Team } from "#shared/runtime";
import { startAgents } from "#shared/runtime/process";
import type { StartAgentsOptions } from "#shared/runtime/process";
import { Store } from "#shared/store";
import { issueVerifyingKeyring, Keyring } from "#shared/envelope/keys";
import type { KeyEdge, KeyGenerations } from "#shared/envelope/keys";
import { measureRelay } from "../../services/relay/measure-relay.ts";
import { startRelay } from "../../services/relay/start-relay.ts";

/**
 * Starts a team as isolated agents with a relay. All in this process, so that the CPU of the relay is counted with that
 * of the agents; a deployment spreads them over cores.
 *
 * @returns What stops all of it.
 */
export async function startIsolated(
  team: Team,
  options: Omit<StartAgentsOptions, "teams" | "only">,
  keys: {
    readonly master: string;
    readonly generations: KeyGenerations;
    readonly edges: readonly KeyEdge[];
  },
): Promise<{ readonly stop: (graceMs: number) => Promise<void> }> {
  const { store, logger } = options;
  const relay = startRelay({
    store,
    keyring: Keyring.merge([options.keyring, issueVerifyingKeyring(keys)]),
    teams: [team],
    costs: { costMax: 100, tokensMax: 100_000_000 },
    logger,
    metrics: measureRelay(new Metrics()),
  });
  const agents = await Promise.all(
    [...team.agents.keys()].map(async (name) => {
      const own = new Store({ ...store.options, isolatedAs: name });
      const running = await startAgents({ ...options, teams: [team], only: [name], store: own });
      return { own, running };
    }),
  );
  return {
    async stop(graceMs) {
      await Promise.all(agents.map(({ running }) => running.stop(graceMs)));
      await relay.stop();
      await Promise.all(agents.map(({ own }) => own.close()));
    },
  };
}
