/** The fields of the older refund form that the newer one has in another form. */
interface OlderRefund {
  readonly order: string;
  /** In cents. */
  readonly amount: number;
  readonly currency: string;
}

/**
 * Lifts a checked `refunds.request@1` to the form of `@2`: `order` becomes `order_id`, cents become units of the
 * currency, all else is kept.
 */
export function upcastRefundsRequest<Older extends OlderRefund>(older: Older) {
  const { order, amount, currency, ...kept } = older;
  return { ...kept, order_id: order, amount: { value: amount / 100, currency } };
}
