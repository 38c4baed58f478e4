import { now, random } from "#shared/clock";
import { SURGEON_ID, agentNameOf } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import { toWardCase } from "#shared/ward";
import type { ReadDeadMessage } from "#shared/ward";
import { discharge, postpone, quarantine } from "./case.ts";
import { freeAttempt, operationOf } from "../propose/procedure.ts";
import type { LeasedCase, RepairContext } from "./case.ts";

/** Sends a rejected message to a fallback of its edge, else a capable agent of its sender's edges, else a person. */
export async function reroute(leased: LeasedCase, message: ReadDeadMessage): Promise<"done"> {
  const { surgery } = leased;
  const { taboo } = toWardCase(leased.stored);
  const { meta } = message.envelope;
  const team = surgery.teams.find((one) => one.name === message.record.team);
  const { from: sender, to: addressedTo } = message.origin.edge;
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
  const candidates = [
    ...(edge?.fallbacks ?? []),
    // An agent that had the work before would make it a loop.
    ...capable.filter((name) => maySend(name) && !before.includes(name)),
  ];
  const chosen = candidates.find((name) => name !== addressedTo && !taboo.includes(name));
  const rejected = taboo.join(", ");
  const to = chosen === undefined ? null : agentIdOf(team, chosen);
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

/** Factor from one wait to the next. */
const BACKOFF_FACTOR = 10;

const WHY = "Only what its agent needs had failed; it is sent on as it stands.";

/**
 * Resends a message unchanged after `surgeonResendMs`, with jitter, and after ten times that if it fails again; at once
 * if a person asked for it. Costs no money. After `OPERATIONS_OF_CASE_MAX` stays the ward quarantines the message.
 */
export async function resend(leased: LeasedCase, context: RepairContext): Promise<"done"> {
  const { surgery, stored } = leased;
  const { message, operation } = context;
  const waitMs = surgery.limits.surgeonResendMs * BACKOFF_FACTOR ** (operation - 1);
  const leftMs = Date.parse(message.record.at) + waitMs - now();
  if (leftMs > 0 && toWardCase(stored).decision?.kind !== "operate") {
    const why = "What its agent needs did not answer; it is sent on as it stands in a while.";
    return postpone(leased, leftMs + random() * waitMs, why);
  }
  const sent = await discharge(leased, message, {
    remedy: {},
    kind: "discharged",
    by: SURGEON_ID,
    why: WHY,
    operation: operationOf(context, [freeAttempt("triage", WHY)]),
    detail: { procedure: "triage" },
  });
  return sent instanceof Error ? quarantine(leased, `It cannot be sent on (${sent.code}).`) : "done";
}
