import { agentNameOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Team } from "./define-team.ts";
import {
  HandoffNewerError,
  HandoffRefusedError,
  HandoffTypeUndeclaredError,
} from "../settle/handoff-errors.ts";
import { HANDOFF_TYPE_DEFAULT } from "./handoff-matrix.ts";

/**
 * The type that a handoff goes out with: what its author says, else the one its edge declares first.
 *
 * @throws {HandoffTypeUndeclaredError} The edge does not declare what the author says.
 */
export function typeOfHandoff(
  team: Team,
  { from, to, said }: { readonly from: string; readonly to: string; readonly said: string | undefined },
): string {
  const types = team.matrix.get(to)?.get(from) ?? [];
  const type = said ?? types[0] ?? HANDOFF_TYPE_DEFAULT;
  if (!types.includes(type)) throw new HandoffTypeUndeclaredError({ from, to, type });
  return type;
}

/**
 * Holds what came in against the matrix. That its sender may write to this agent at all is held by the key it was
 * sealed with; a key may outlive its edge, and says nothing of types.
 *
 * @throws {HandoffRefusedError} Not declared. {HandoffNewerError} By somebody who may know a newer matrix.
 */
export function checkHandoffType(team: Team, to: string, meta: Envelope["meta"]): void {
  const from = agentNameOf(meta.source_agent);
  const type = meta.handoff_type;
  if (team.matrix.get(to)?.get(from)?.includes(type) === true) return;
  const known = team.agents.get(from);
  const isNewer =
    known === undefined ? from !== "gateway" && from !== "surgeon" : known.version < versionOf(meta);
  throw isNewer ? new HandoffNewerError({ from, to, type }) : new HandoffRefusedError({ from, to, type });
}

/** The schema of envelopes gives every agent's id a version. */
function versionOf({ source_agent }: Envelope["meta"]): number {
  return Number(source_agent.slice(source_agent.lastIndexOf("@") + 1));
}
