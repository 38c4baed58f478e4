import { z } from "zod";

/** Payload of every hop of the chain, for both peers: two kilobytes as a support team would hand them on. */
export const payloadSchema = z.object({
  summary: z.string(),
  facts: z.array(
    z.object({ order_id: z.string(), amount: z.number(), is_open: z.boolean(), note: z.string() }),
  ),
  text: z.string(),
});

export type Payload = z.output<typeof payloadSchema>;

/** JSON text of the payload, in bytes. */
export const PAYLOAD_BYTES = 2048;

const SENTENCE =
  "The parcel came late and the lamp inside was broken, so the customer asks for the money back. ";

/** A payload of exactly `PAYLOAD_BYTES`. */
export function createPayload(): Payload {
  const facts = Array.from({ length: 8 }, (_, index) => ({
    order_id: `A-${1000 + index}`,
    amount: 19.99 + index,
    is_open: index % 2 === 0,
    note: "seen by the carrier, not by the shop",
  }));
  const bare = { summary: "A refund for a broken lamp.", facts, text: "" };
  const missing = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify(bare));
  const text = SENTENCE.repeat(Math.ceil(missing / SENTENCE.length)).slice(0, missing);
  return { ...bare, text };
}
