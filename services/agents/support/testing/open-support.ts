import { openStandIns } from "#shared/testing";
import type { StandInTeam } from "#shared/testing";
import { sandboxAddress } from "#shared/config";
import { createOutside } from "../outside/ports.ts";
import { createSupportTeam } from "../team.ts";
import { LoopbackShop } from "./loopback-shop.ts";

export interface SupportSystem extends StandInTeam {
  readonly shop: LoopbackShop;
}

/** The outside systems of one sandbox. */
export function sandboxOutside(
  baseUrl: () => string,
  more: Omit<Parameters<typeof createOutside>[0], "address"> = {},
): ReturnType<typeof createOutside> {
  return createOutside({ address: () => sandboxAddress(baseUrl()), ...more });
}

/** The team at work, with a shop on the loopback. */
export async function openSupport(): Promise<SupportSystem> {
  const shop = await LoopbackShop.open();
  return { shop, ...(await openStandIns(createSupportTeam(sandboxOutside(() => shop.url)))) };
}
