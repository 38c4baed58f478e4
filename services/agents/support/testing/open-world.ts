import { createSupportTeam } from "../create-team.ts";
import { createOutside } from "../outside/outside.ts";
import { LoopbackShop } from "./loopback-shop.ts";
import { MemoryDesk } from "./memory-desk.ts";

/** A desk with its shop, for one test. */
export interface World {
  readonly shop: LoopbackShop;
  readonly desk: MemoryDesk;
}

export async function openWorld(): Promise<World> {
  const shop = await LoopbackShop.open();
  const desk = new MemoryDesk(createSupportTeam(createOutside({ baseUrl: () => shop.url })));
  return { shop, desk };
}

/** The one handoff of an outcome. */
export function handoffOf(outcome: Awaited<ReturnType<MemoryDesk["deliver"]>>): {
  to: string;
  payload: unknown;
} {
  if (outcome.kind !== "handed_off") throw new Error(`the work ended as ${outcome.kind}`);
  const [handoff] = outcome.handoffs;
  if (handoff === undefined || outcome.handoffs.length !== 1) throw new Error("not one handoff");
  return { to: handoff.to, payload: handoff.payload };
}
