import { checkPayload } from "#shared/contract";
import { agentNameOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { contractFor } from "#shared/runtime";
import type { Team } from "#shared/runtime";

/**
 * Returns true if a message matches the contract of its receiver, upcast as the receiver does. False if no loaded
 * team has the receiver.
 */
export function isWellFormed(teams: readonly Team[], { meta, data_payload }: Envelope): boolean {
  const name = agentNameOf(meta.target_agent);
  const team = teams.find(({ agents }) => agents.has(name));
  const receiver = team?.agents.get(name);
  if (team === undefined || receiver === undefined) return false;
  const contract = contractFor(receiver, meta);
  try {
    checkPayload(contract, team.contracts.upcast(meta.contract, contract, data_payload));
    return true;
  } catch {
    return false;
  }
}
