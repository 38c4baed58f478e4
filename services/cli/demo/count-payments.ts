import { z } from "zod";

/** Refunds that the sandbox's payment system made. */
export interface Payments {
  readonly refunds: number;
  /** Orders that were paid back more than once. Has to be empty. */
  readonly paid_twice: readonly string[];
}

const listingSchema = z.object({ refunds: z.array(z.object({ order_id: z.string() })) });
const TIMEOUT_MS = 10_000;

/** Counts refunds in the sandbox's own records. Null where no sandbox runs. */
export async function countPayments(sandboxUrl: string | null): Promise<Payments | null> {
  if (sandboxUrl === null) return null;
  const reply = await fetch(`${sandboxUrl}/sandbox/payments/refunds`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { refunds } = listingSchema.parse(await reply.json());
  const byOrder = Map.groupBy(refunds, ({ order_id }) => order_id.toUpperCase());
  return {
    refunds: refunds.length,
    paid_twice: [...byOrder].filter(([, paid]) => paid.length > 1).map(([id]) => id),
  };
}
