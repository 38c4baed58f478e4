import { agentNameOf } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import type { CaseAdmission } from "#shared/ward";
import type { Surgery } from "../surgery.ts";

/**
 * What of a letter this surgeon's release does not know, and without which it cannot judge it: its team, or the
 * contract of a newer release. The admission brings a schema along, but not what the contract checks beside it.
 *
 * @returns null where it knows enough; else what people read while the case waits.
 */
export function whatIsUnknown(
  surgery: Pick<Surgery, "teams">,
  record: Pick<CaseAdmission, "team" | "agent" | "contract" | "subject" | "admitted_by">,
): string | null {
  const team = surgery.teams.find((one) => one.name === record.team);
  if (team === undefined) return `This surgeon does not know its team (${record.team.slice(0, 64)}).`;
  if (record.contract === "" || !isOfOtherRelease(team, record)) return null;
  return `This surgeon does not know its contract (${record.contract.slice(0, 128)}).`;
}

/**
 * An older version that is gone is none: its letters are mended by the schema they bring, and lifted by who gets
 * them.
 */
function isOfOtherRelease(
  team: Team,
  { agent, contract, subject, admitted_by }: Parameters<typeof whatIsUnknown>[1],
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
