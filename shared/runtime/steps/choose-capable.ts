import { createHash } from "node:crypto";
import { agentNameOf } from "#shared/envelope";
import type { Delivery, Message, CheckedHandoff } from "../deliver/delivery.ts";
import { capableOf } from "../define/check-team.ts";
import type { HandoffDraft } from "../define/handler-context.ts";

/** Ledger step with the chosen receivers, by index among the handoffs of the outcome and capability. */
const STEP = "capable";

/**
 * Chooses the receivers of handoffs by capability, and records them, so that a re-run of the handler sends to the same
 * ones. Prefers agents at work: live in the registry, not paused, and not waiting for a model;
 * messages spread evenly over them. If none is, the message waits for one of all.
 */
export async function chooseCapable(
  delivery: Delivery & { readonly message: Message },
  handoffs: readonly CheckedHandoff[],
): Promise<CheckedHandoff[]> {
  const { place, hold, record } = delivery;
  const recorded = record.steps.get(STEP);
  const result = recorded ?? JSON.stringify(Object.fromEntries(await chooseAll(delivery, handoffs)));
  const kept = recorded ?? (await place.store.ledger.recordStep(hold, { name: STEP, result }));
  // Written by the lines above.
  const chosen = new Map(Object.entries(JSON.parse(kept) as Record<string, string>));
  return handoffs.map(({ draft, failure }, index) => ({
    draft: { ...draft, to: chosen.get(keyOf(draft, index)) ?? draft.to },
    failure,
  }));
}

function keyOf({ capability = "" }: HandoffDraft, index: number): string {
  return `${index}/${capability}`;
}

async function chooseAll(
  delivery: Delivery & { readonly message: Message },
  handoffs: readonly CheckedHandoff[],
): Promise<Map<string, string>> {
  const receivers = new Map<string, readonly string[]>();
  const chosen = new Map<string, string>();
  for (const [index, { draft }] of handoffs.entries()) {
    const { capability } = draft;
    if (capability === undefined) continue;
    const own = receivers.get(capability) ?? (await findReceivers(delivery, capability));
    receivers.set(capability, own);
    const key = keyOf(draft, index);
    const to = own[pointOf(`${delivery.hold.messageId}/${key}`) % own.length];
    if (to !== undefined) chosen.set(key, to);
  }
  return chosen;
}

/** Returns the receivers at work, or all of them if none is, without those that would make the work a loop. */
async function findReceivers(
  delivery: Delivery & { readonly message: Message },
  capability: string,
): Promise<readonly string[]> {
  const { place, message } = delivery;
  const { team, agent } = place;
  const passed = new Set(message.envelope.meta.path.map(agentNameOf));
  const all = capableOf(agent.name, capability, team.agents).map(({ name }) => name);
  const mayGo = (to: string): boolean =>
    !passed.has(to) || team.edges.some((edge) => edge.from === agent.name && edge.to === to && edge.loop);
  const reachable = all.filter(mayGo);
  const candidates = reachable.length === 0 ? all : reachable;
  const healthy = await keepHealthy(delivery, candidates);
  return healthy.length === 0 ? candidates : healthy;
}

async function keepHealthy({ place }: Delivery, candidates: readonly string[]): Promise<string[]> {
  const { store, team } = place;
  const live = new Set(
    (await store.registry.live())
      .filter((one) => one.team === team.name && (one.state ?? "working") === "working")
      .filter(({ waits_for_model: waits }) => waits === undefined)
      .map((one) => one.agent),
  );
  const working = candidates.filter((to) => live.has(to));
  const paused = await Promise.all(working.map((to) => store.queues.of(to, "fresh").isPaused()));
  return working.filter((_, at) => paused[at] !== true);
}

/** Returns an evenly spread integer for a text. */
function pointOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
