import { agentNameOf, senderOf } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Team } from "#shared/runtime";
import { chooseReceiver, dischargeCase, toWardCase } from "#shared/ward";
import { giveUp, traceparentOfSend } from "./held.ts";
import type { Held } from "./held.ts";
import type { Patient } from "./patient.ts";
import { SURGEON_ID } from "./surgery.ts";
import type { Surgery } from "./surgery.ts";

/** Offers a rejected letter to the sender's fallbacks, then to a capable agent, then to a person. */
export async function reroute(surgery: Surgery, held: Held, letter: Patient["letter"]): Promise<"done"> {
  const { taboo, addressed_to, team: teamName } = toWardCase(held.stored);
  const { meta } = letter.envelope;
  const team = surgery.teams.find((one) => one.name === teamName);
  const sender = agentNameOf(senderOf(letter.envelope));
  const edge = team?.edges.find((one) => one.from === sender && one.to === addressed_to);
  const before = meta.path.map(agentNameOf);
  const capable = await surgery.store.registry.capable({
    capabilities: meta.capabilities_required,
    contractName: agentNameOf(meta.contract),
  });
  const chosen = chooseReceiver({
    fallbacks: edge?.fallbacks ?? [],
    // The run's team is the bound of who may see its letters; whoever had the work before would make it a loop.
    capable: capable.filter((name) => team?.agents.has(name) === true && !before.includes(name)),
    taboo: [...taboo, addressed_to],
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
