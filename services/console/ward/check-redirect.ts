import { agentNameOf, readEnvelope } from "#shared/envelope";
import { RequestInvalidError } from "#shared/http";
import type { Team } from "#shared/runtime";
import { getCase } from "#shared/ward";
import type { Console } from "../console.ts";
import { readMessage } from "./read-message.ts";

/**
 * Holds the target of a redirect against the message's team, as the surgeon will. A team that is not loaded here is
 * left to the surgeon.
 *
 * @throws {NotFoundError} No such case. {RequestInvalidError} The agent is unknown, or takes another contract.
 */
export async function checkRedirect(
  { store, teams }: Pick<Console, "store" | "teams">,
  redirect: { readonly caseId: string; readonly agent: string },
): Promise<void> {
  const { admissions, team: teamName } = await getCase(store, redirect.caseId);
  const team = teams.find(({ name }) => name === teamName);
  if (team === undefined) return;
  const accepts = team.agents.get(redirect.agent)?.accepts;
  if (accepts === undefined) throw refusal("unknown_agent", `agents of ${team.name}: ${namesOf(team)}`);
  const latest = admissions.at(-1);
  const bytes = latest === undefined ? null : (readMessage(latest)?.bytes ?? null);
  // A case without a readable message is refused with the decision itself.
  if (bytes === null) return;
  const { contract } = readEnvelope(bytes).meta;
  if (accepts.name !== agentNameOf(contract))
    throw refusal("other_contract", `it accepts ${accepts.id}, and the message is ${contract}`);
}

function namesOf(team: Team): string {
  return [...team.agents.keys()].join(", ");
}

function refusal(code: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: "/agent", code, message }]);
}
