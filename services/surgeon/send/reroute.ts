import { agentNameOf, SURGEON_ID } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import { chooseReceiver } from "#shared/ward/moves";
import { toWardCase } from "#shared/ward";
import type { ReadDeadMessage } from "#shared/ward";
import { discharge, quarantine } from "../cases/leased-case.ts";
import type { LeasedCase } from "../cases/leased-case.ts";

/**
 * Sends a rejected message to a fallback of the edge it came along, else to a capable agent that its sender has an edge
 * to, else to a person.
 */
export async function reroute(leased: LeasedCase, message: ReadDeadMessage): Promise<"done"> {
  const { surgery } = leased;
  const { taboo } = toWardCase(leased.stored);
  const { meta } = message.envelope;
  const team = surgery.teams.find((one) => one.name === message.record.team);
  const { from: sender = "", to: addressedTo = "" } = message.origin?.edge ?? {};
  const edge = team?.edges.find((one) => one.from === sender && one.to === addressedTo);
  const contractName = agentNameOf(meta.contract);
  const maySend = (to: string): boolean =>
    team?.agents.get(to)?.accepts.name === contractName &&
    team.matrix.get(to)?.get(sender)?.includes(meta.handoff_type) === true;
  const before = meta.path.map(agentNameOf);
  const capable = await surgery.store.registry.capable({
    capabilities: meta.capabilities_required,
    contractName,
  });
  const chosen = chooseReceiver({
    fallbacks: edge?.fallbacks ?? [],
    // An agent that had the work before would make it a loop.
    capable: capable.filter((name) => maySend(name) && !before.includes(name)),
    taboo: [...taboo, addressedTo],
  });
  const rejected = taboo.join(", ");
  const to = chosen === null ? null : agentIdOf(team, chosen);
  if (to === null) return quarantine(leased, `Nobody takes it; ${rejected} rejected it.`);
  const sent = await discharge(leased, message, {
    remedy: { to },
    kind: "rerouted",
    by: SURGEON_ID,
    why: `${rejected} rejected it`,
    operation: null,
  });
  return sent instanceof Error ? quarantine(leased, `It cannot be sent to ${to} (${sent.code}).`) : "done";
}

/** Returns `name@version` of a team's agent; null if the team has none of that name. */
export function agentIdOf(team: Team | undefined, name: string): string | null {
  return team?.agents.get(name)?.id ?? null;
}
