import { random } from "#shared/clock";
import type { Agent, Team } from "#shared/runtime";
import type { Gateway } from "../gateway.ts";

/**
 * The agent that a task begins with: the team's first, or the one that the team declares in its place while that one's
 * circuit is open. On trial a share goes to the first. What cannot be asked is taken for closed: tasks go on coming in.
 */
export async function chooseEntry(gateway: Gateway, team: Team): Promise<Agent> {
  const { entry } = team;
  const policy = team.circuits.get(entry.name);
  if (policy === undefined || !("agent" in policy.reaction)) return entry;
  const { agent: fallback } = policy.reaction;
  const states = await gateway.circuitStates().catch(() => new Map<string, string>());
  const state = states.get(entry.name) ?? "closed";
  const isReplaced = state === "open" || (state === "half_open" && random() >= policy.trialShare);
  const isOpenToo = states.get(fallback) === "open";
  return isReplaced && !isOpenToo ? (team.agents.get(fallback) ?? entry) : entry;
}
