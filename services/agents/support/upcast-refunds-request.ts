import { checkPayload } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import type { RefundsRequestV1 } from "./contracts.ts";

/**
 * Lifts `refunds.request@1` to the form of `@2`: `order` becomes `order_id`, cents become units of the currency.
 *
 * The older form is checked before it is lifted. Without that, a sum such as "4250" (text, cents) would arrive in
 * the newer form as "4250" units, and a repair of its type would pay a hundred times too much.
 *
 * @throws {PayloadInvalidError} The payload is not a `refunds.request@1`, with every fault in that form's words.
 */
export function upcastRefundsRequest(previous: unknown, olderForm: typeof RefundsRequestV1): unknown {
  const older: ContractOutput<typeof RefundsRequestV1> = checkPayload(olderForm satisfies Contract, previous);
  const { order, amount, currency, ...kept } = older;
  return { ...kept, order_id: order, amount: { value: amount / 100, currency } };
}
