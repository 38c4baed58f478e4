import { createSupportTeam } from "../team.ts";
import { sandboxAddress } from "#shared/config";
import { createOutside } from "../outside/ports.ts";
import { LoopbackShop } from "./loopback-shop.ts";
import { MemoryRuntime } from "./memory-runtime.ts";

export interface SupportSystem {
  readonly shop: LoopbackShop;
  readonly runtime: MemoryRuntime;
}

/** The outside systems of one sandbox. */
export function sandboxOutside(
  baseUrl: () => string,
  more: Omit<Parameters<typeof createOutside>[0], "address"> = {},
): ReturnType<typeof createOutside> {
  return createOutside({ address: () => sandboxAddress(baseUrl()), ...more });
}

export async function openSupport(): Promise<SupportSystem> {
  const shop = await LoopbackShop.open();
  const runtime = new MemoryRuntime(createSupportTeam(sandboxOutside(() => shop.url)));
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
