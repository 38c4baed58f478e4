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
 * Returns the type of a handoff: the author's, or else the first one that its edge declares.
 *
 * @throws {HandoffTypeUndeclaredError} The edge does not declare the author's type.
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
 * Checks an incoming message against the handoff matrix. The key already proves that its sender may write to this
 * agent; a key may outlive its edge, and does not cover types.
 *
 * @throws {HandoffRefusedError} Not declared.
 * @throws {HandoffNewerError} Not declared here, but the sender is newer and may know a newer matrix.
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

/** The envelope's schema guarantees that every agent id has a version. */
function versionOf({ source_agent }: Envelope["meta"]): number {
  return Number(source_agent.slice(source_agent.lastIndexOf("@") + 1));
}
