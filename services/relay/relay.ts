import type { Keyring } from "#shared/envelope/keys";
import type { CircuitWatch } from "#shared/feedback";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import { OutboxIntake } from "#shared/store/settlement";
import type { Settlement, WardIntake } from "#shared/store/settlement";
import type { Logger } from "#shared/telemetry";
import type { RelayMetrics } from "./measure-relay.ts";
import type { CostBounds } from "./verify/verify-changes.ts";
import type { RelayedAgent } from "./verify/verify-entry.ts";

/** Shared parts of a relay. */
export interface RelayParts {
  readonly store: Store;
  /** Verifies every edge, and signs from the relay to the ward. */
  readonly keyring: Keyring;
  readonly teams: readonly Team[];
  readonly costs: CostBounds;
  readonly logger: Logger;
  readonly metrics: RelayMetrics;
  /** Counts outputs of agents. */
  readonly circuits: CircuitWatch;
  /** Settlement of the relay's own slot: fan-outs. */
  readonly settlement: Settlement;
  /** Counts malformed outputs by what the relay finds itself, not by the producer that an admission names. */
  readonly ward: WardIntake;
}

/**
 * Maximum size of an entry, which may hold a thousand handoffs of up to one envelope each; most have a few kilobytes.
 */
const ENTRY_BYTES_MAX = 64 * 1024 * 1024;

export function openIntake({ store }: RelayParts): OutboxIntake {
  return new OutboxIntake(store.redis, store.keys, ENTRY_BYTES_MAX);
}

/** Returns every agent of the loaded teams with its permissions. An agent of two teams has the receivers of both. */
export function relayedAgents({ teams, keyring, costs }: RelayParts): readonly RelayedAgent[] {
  const names = new Set(teams.flatMap((team) => [...team.agents.keys()]));
  return [...names].flatMap((agent) => {
    const having = teams.filter((team) => team.agents.has(agent));
    const [team] = having;
    if (team === undefined) return [];
    const edges = having.flatMap((one) => one.edges.filter(({ from }) => from === agent));
    const isJoin = (name: string): boolean =>
      having.some((one) => one.agents.get(name)?.options.collects !== undefined);
    const awaited = edges.flatMap(({ to, acknowledgeWithinMs }) =>
      acknowledgeWithinMs === null ? [] : [[to, acknowledgeWithinMs] as const],
    );
    return {
      agent,
      keyring,
      costs,
      looking: { turn: Promise.resolve() },
      team,
      teams: new Set(having.map(({ name }) => name)),
      receivers: new Set(edges.map(({ to }) => to)),
      joins: new Set(edges.flatMap(({ to }) => (isJoin(to) ? [to] : []))),
      awaits: new Map(awaited),
    };
  });
}
