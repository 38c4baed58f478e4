import { CIRCUIT_POLICY_DEFAULT, readCircuitPolicy } from "#shared/feedback";
import type { CircuitDeclaration, CircuitPolicy } from "#shared/feedback";
import type { Agent } from "./define-agent.ts";
import { TeamDefinitionError } from "../errors.ts";

interface Declared {
  /** The team's. */
  readonly name: string;
  readonly entry: Agent;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly declared: Readonly<Record<string, CircuitDeclaration>>;
}

/**
 * Returns the circuit of every agent, declared or default.
 *
 * @throws {TeamDefinitionError} A circuit is invalid, names an unknown agent, or falls back to an agent that one of
 * the senders may not hand the same contract to.
 */
export function checkCircuits(team: Declared): ReadonlyMap<string, CircuitPolicy> {
  const { name, agents, declared } = team;
  const policies = new Map([...agents.keys()].map((agent) => [agent, CIRCUIT_POLICY_DEFAULT]));
  for (const [agent, declaration] of Object.entries(declared)) {
    if (!agents.has(agent))
      throw new TeamDefinitionError(
        name,
        `it declares a circuit for ${agent}, which is not one of its agents`,
      );
    const read = readCircuitPolicy(declaration);
    if ("problem" in read) throw new TeamDefinitionError(name, `the circuit of ${agent} at ${read.problem}`);
    const { reaction } = read.policy;
    if ("agent" in reaction) checkFallback(team, { agent, fallback: reaction.agent });
    policies.set(agent, read.policy);
  }
  return policies;
}

/** Checks that every sender to the agent can also hand to the fallback. */
function checkFallback(
  { name, entry, agents }: Declared,
  { agent, fallback }: { readonly agent: string; readonly fallback: string },
): void {
  const [own, other] = [agents.get(agent), agents.get(fallback)];
  if (other === undefined || other === own)
    throw new TeamDefinitionError(
      name,
      `the circuit of ${agent} falls back to ${fallback}, which is no other agent of it`,
    );
  const accepts = own?.accepts.id;
  if (entry === own && other.accepts.id !== accepts)
    throw new TeamDefinitionError(name, `${fallback} does not accept ${accepts}, which tasks come with`);
  for (const sender of agents.values()) {
    const contract = sender.to[agent];
    if (contract === undefined || sender.to[fallback]?.id === contract.id) continue;
    throw new TeamDefinitionError(
      name,
      `the circuit of ${agent} falls back to ${fallback}, but ${sender.name} may not hand ${contract.id} to it`,
    );
  }
}
