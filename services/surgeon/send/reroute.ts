import { agentNameOf } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Team } from "#shared/runtime";
import { chooseReceiver, dischargeCase, toWardCase } from "#shared/ward";
import { giveUp, traceparentOfSend } from "../cases/leased-case.ts";
import type { Held } from "../cases/leased-case.ts";
import type { Patient } from "../cases/repair-context.ts";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";

/**
 * Offers a rejected letter to the sender's fallbacks, then to a capable agent, then to a person. It goes only where its
 * sender might have sent it: to agents that the team declares as fallbacks of the edge it came along, or that the
 * sender has an edge to.
 */
export async function reroute(surgery: Surgery, held: Held, letter: Patient["letter"]): Promise<"done"> {
  const { taboo } = toWardCase(held.stored);
  const { meta } = letter.envelope;
  const team = surgery.teams.find((one) => one.name === letter.record.team);
  const { from: sender = "", to: addressedTo = "" } = letter.origin?.edge ?? {};
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
    // Whoever had the work before would make it a loop.
    capable: capable.filter((name) => maySend(name) && !before.includes(name)),
    taboo: [...taboo, addressedTo],
  });
  const to = chosen === null ? null : idOf(team, chosen);
  if (to === null) return giveUp(surgery, held, `Nobody takes it; ${[...taboo].join(", ")} rejected it.`);
  try {
    const sent = await dischargeCase(surgery.store, {
      from: held.stored,
      letter,
      remedy: { to },
      keyring: surgery.keyring,
      kind: "rerouted",
      by: SURGEON_ID,
      why: `${taboo.join(", ")} rejected it`,
      operation: null,
      fence: held.fence,
      surgeon: SURGEON_ID,
      traceparent: traceparentOfSend(held, letter, to),
    });
    if (sent !== null) held.stay.end("rerouted");
    return "done";
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return giveUp(surgery, held, `It cannot be sent to ${to} (${error.code}).`);
  }
}

/** `name@version` of a team's agent; null when the team has none of that name. */
export function idOf(team: Team | undefined, name: string): string | null {
  return team?.agents.get(name)?.id ?? null;
}
