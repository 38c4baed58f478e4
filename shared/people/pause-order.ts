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

/** A person's signed order that pauses or resumes an agent's queues, valid until the next one. */
export type PauseOrder = z.output<typeof pauseSchema>;

export const PAUSES = { about: "pause", purpose: "people-pause", schema: pauseSchema } as const;

/**
 * Signs and stores an order that pauses or resumes an agent. Its workers apply it to the queues.
 * @throws {SigningKeyMissingError} This process has no signing key.
 */
export async function orderPause(
  from: { readonly store: Store; readonly keyring: Keyring },
  { agent, is_paused, by }: Pick<PauseOrder, "agent" | "is_paused" | "by">,
): Promise<GivenOrder> {
  return giveOrder(from, PAUSES, { agent, is_paused, by, at_ms: now() });
}
