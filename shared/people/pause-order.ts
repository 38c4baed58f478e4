import { z } from "zod";
import { now } from "#shared/clock";
import { signRecord } from "#shared/envelope";
import type { Keyring } from "#shared/envelope";
import type { Store } from "#shared/store";
import { openSigned } from "./record.ts";

const PURPOSE = "people-pause";

const pauseSchema = z.object({
  /** Plain name of the agent, or `ward` for the surgeon. */
  agent: z.string(),
  is_paused: z.boolean(),
  by: z.string(),
  at_ms: z.number(),
});

/** A person's word on whether an agent's queues give out messages; it holds until the next one. */
export type PauseOrder = z.output<typeof pauseSchema>;

/**
 * Writes down that an agent is paused or resumed. Whoever works for it makes its queues so.
 *
 * @throws {SigningKeyMissingError} This process has no key to sign with.
 */
export async function orderPause(
  { store, keyring }: { readonly store: Store; readonly keyring: Keyring },
  said: Pick<PauseOrder, "agent" | "is_paused" | "by">,
): Promise<void> {
  const { agent, is_paused, by } = said;
  const order = { agent, is_paused, by, at_ms: now() };
  const signed = signRecord(order, { key: keyring.signing("console", "ward"), purpose: PURPOSE });
  await store.orders.write(`pause:${agent}`, JSON.stringify(signed));
}

/** What people said of pauses, as far as it verifies: of each agent the newest order that this process has seen. */
export class StandingPauses {
  private readonly keyring: Keyring;
  private readonly newest = new Map<string, PauseOrder>();
  private readonly seen = new Map<string, string>();

  constructor(keyring: Keyring) {
    this.keyring = keyring;
  }

  /** Takes in what is written down now. An older order, or none, in the place of a newer one changes nothing. */
  hear(orders: Readonly<Record<string, string>>): void {
    for (const [about, text] of Object.entries(orders)) {
      // A signature is verified once.
      if (this.seen.get(about) === text) continue;
      this.seen.set(about, text);
      const opened = openSigned(text, { keyring: this.keyring, purpose: PURPOSE, schema: pauseSchema });
      if ("problem" in opened || about !== `pause:${opened.signed.agent}`) continue;
      const { agent, at_ms } = opened.signed;
      if (at_ms >= (this.newest.get(agent)?.at_ms ?? 0)) this.newest.set(agent, opened.signed);
    }
  }

  /** Null where nobody ever said anything. */
  of(agent: string): PauseOrder | null {
    return this.newest.get(agent) ?? null;
  }
}
