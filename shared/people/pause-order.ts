import { z } from "zod";
import { now } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import type { Store } from "#shared/store";
import { giveOrder } from "./standing-orders.ts";
import type { GivenOrder } from "./standing-orders.ts";

const pauseSchema = z.object({
  /** Plain name of the agent, or `ward` for the surgeon. */
  agent: z.string(),
  is_paused: z.boolean(),
  by: z.string(),
  at_ms: z.number(),
});

/** A person's word on whether an agent's queues give out messages; it holds until the next one. */
export type PauseOrder = z.output<typeof pauseSchema>;

export const PAUSES = { about: "pause", purpose: "people-pause", schema: pauseSchema } as const;

/**
 * Writes down that an agent is paused or resumed. Whoever works for it makes its queues so.
 *
 * @throws {SigningKeyMissingError} This process has no key to sign with.
 */
export async function orderPause(
  from: { readonly store: Store; readonly keyring: Keyring },
  { agent, is_paused, by }: Pick<PauseOrder, "agent" | "is_paused" | "by">,
): Promise<GivenOrder> {
  return giveOrder(from, PAUSES, { agent, is_paused, by, at_ms: now() });
}
