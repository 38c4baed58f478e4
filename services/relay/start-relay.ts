import { compareClocks } from "#shared/store";
import type { AgentPresence } from "#shared/store";
import { checkIsolation } from "#shared/runtime";
import { tendFanOuts } from "#shared/runtime/fan-out";
import { every } from "#shared/runtime/process";
import { intakeOf } from "#shared/ward";
import { openCircuitWatch } from "./count-outputs.ts";
import { Lane } from "./lane.ts";
import { openIntake, relayedAgents } from "./relay.ts";
import type { RelayParts } from "./relay.ts";
import { takeBackUnaccepted } from "./take-back.ts";
import { RUNS_SLOT } from "./verify/verify-branches.ts";
import type { RelayedAgent } from "./verify/verify-entry.ts";

/** A running relay. */
export interface RunningRelay {
  readonly agents: readonly string[];
  /** Stops taking entries, and delivers those in progress. */
  stop(): Promise<void>;
}

const SWEEP_EVERY_MS = 1000;
const PRESENCE_EVERY_MS = 1000;
/** Interval of the check for due fan-outs, in ms. */
const TEND_EVERY_MS = 500;
const CIRCUITS_EVERY_MS = 2000;
const CLOCK_CHECK_EVERY_MS = 10_000;

/**
 * Delivers outbox entries of isolated agents after verifying each. Several relays may run side by side. The caller
 * closes the given parts.
 *
 * @throws {IsolationUnsupportedError} A team needs something that isolated agents cannot do.
 */
export function startRelay(given: Omit<RelayParts, "circuits" | "settlement" | "ward">): RunningRelay {
  checkIsolation(given.teams);
  const { store, logger } = given;
  const ward = intakeOf(store, { isCounted: false });
  const settlement = store.settlement.through(ward, (error, entry) =>
    logger.warn({ err: error, entry_id: entry.id }, "left to the next round"),
  );
  const parts: RelayParts = { ...given, circuits: openCircuitWatch(given), settlement, ward };
  const { circuits } = parts;
  const stopping = new AbortController();
  // Before the first entry: outputs of an unreported circuit would not be counted.
  circuits.report().catch((error: unknown) => logger.warn({ err: error }, "circuits could not be told"));
  const intake = openIntake(parts);
  const agents = relayedAgents(parts);
  const keeper = { store, settlement, slot: RUNS_SLOT, stopping: stopping.signal };
  const lanes = agents.map((by) => ({
    lane: new Lane(parts, intake, by),
    waiting: store.connectAnother("worker"),
  }));
  const answering = lanes.map(({ lane, waiting }) => lane.answerCalls(waiting, stopping.signal));
  const timers = [
    ...lanes.map(({ lane }) => every(SWEEP_EVERY_MS, () => lane.sweep(), logger)),
    every(TEND_EVERY_MS, () => tendFanOuts(keeper), logger),
    every(SWEEP_EVERY_MS, () => settlement.relay(RUNS_SLOT), logger),
    every(SWEEP_EVERY_MS, () => takeBackUnaccepted(parts), logger),
    every(PRESENCE_EVERY_MS, () => copyPresences(parts, agents), logger),
    every(CIRCUITS_EVERY_MS, () => circuits.report(), logger),
    every(CLOCK_CHECK_EVERY_MS, () => compareClocks(store.redis), logger),
    // Listing live processes deletes expired ones.
    every(PRESENCE_EVERY_MS * 5, () => store.registry.live(), logger),
  ];
  return {
    agents: agents.map(({ agent }) => agent),
    async stop() {
      stopping.abort();
      for (const stop of timers) stop();
      // Aborts the blocking reads.
      for (const { waiting } of lanes) waiting.disconnect();
      await Promise.all([...answering, ...lanes.map(({ lane }) => lane.drain())]);
      await circuits.report().catch(() => undefined);
      await store.outbox.flush().catch(() => undefined);
    },
  };
}

async function copyPresences(parts: RelayParts, agents: readonly RelayedAgent[]): Promise<void> {
  const { store, metrics, logger } = parts;
  await Promise.all(
    agents.map(async (by) => {
      const foreign = await store.registry.copyPresence(by.agent, (said) => declaredOf(by, said));
      if (foreign === 0) return;
      metrics.refused.add({ agent: by.agent, reason: "presence" }, foreign);
      logger.error({ agent: by.agent, foreign }, "an agent announced what is none of its processes");
    }),
  );
}

/** Takes everything that routing depends on from the team's declaration, never from the process. */
function declaredOf({ agent, team }: RelayedAgent, said: AgentPresence): AgentPresence {
  const declared = team.agents.get(agent);
  const { capabilities = [], description = "" } = declared?.options ?? {};
  return {
    ...said,
    team: team.name,
    accepts: declared?.accepts.id ?? said.accepts,
    capabilities,
    description,
  };
}
