import { createSupportTeam } from "../team.ts";
import { createOutside, sandboxAddresses } from "../outside/ports.ts";
import { LoopbackShop } from "./loopback-shop.ts";
import { MemoryRuntime } from "./memory-runtime.ts";

export interface SupportSystem {
  readonly shop: LoopbackShop;
  readonly runtime: MemoryRuntime;
}

export async function openSupport(): Promise<SupportSystem> {
  const shop = await LoopbackShop.open();
  const runtime = new MemoryRuntime(
    createSupportTeam(createOutside({ addresses: sandboxAddresses(() => shop.url) })),
  );
  return { shop, runtime };
}

export function handoffOf(outcome: Awaited<ReturnType<MemoryRuntime["deliver"]>>): {
  to: string;
  payload: unknown;
} {
  if (outcome.kind !== "handed_off") throw new Error(`the work ended as ${outcome.kind}`);
  const [handoff] = outcome.handoffs;
  if (handoff === undefined || outcome.handoffs.length !== 1) throw new Error("not one handoff");
  return { to: handoff.to, payload: handoff.payload };
}
