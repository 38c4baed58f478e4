import { agentNameOf } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import type { CaseAdmission } from "#shared/ward";
import type { Surgery } from "../surgery.ts";

/**
 * Names what this release lacks to judge a message: its team, or a newer release's contract. The admission brings the
 * contract's JSON Schema, but not its semantic check.
 *
 * @returns null if nothing is missing; else the text shown while the case waits.
 */
export function findUnknown(
  surgery: Pick<Surgery, "teams">,
  record: Pick<CaseAdmission, "team" | "agent" | "contract" | "subject" | "admitted_by">,
): string | null {
  const team = surgery.teams.find((one) => one.name === record.team);
  if (team === undefined) return `This surgeon does not know its team (${record.team.slice(0, 64)}).`;
  if (record.contract === "" || !isOfOtherRelease(team, record)) return null;
  return `This surgeon does not know its contract (${record.contract.slice(0, 128)}).`;
}

/**
 * An older version that was removed is known: its messages are repaired by the schema they bring, and upcast by their
 * receiver.
 */
function isOfOtherRelease(
  team: Team,
  { agent, contract, subject, admitted_by }: Parameters<typeof findUnknown>[1],
): boolean {
  if (team.contracts.find(contract) !== undefined) return false;
  const newest = team.contracts.newest(agentNameOf(contract));
  if (newest !== undefined) return newest.version < versionOf(contract);
  // A model's answer may be asked for under a contract that its agent does not declare.
  const known = team.agents.get(agent);
  const isOwn = known !== undefined && agentNameOf(admitted_by) === agent;
  return !(subject.kind === "answer" && isOwn && known.version >= versionOf(admitted_by));
}

/** 3 of `triage@3`. */
function versionOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("@") + 1));
}
