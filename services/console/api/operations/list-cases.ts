import { SENSITIVE_MASK } from "#shared/masking";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import type { Handler } from "../operation.ts";

/** Cases that meet every filter, newest first. */
export const listCases: Handler<"listCases"> = async ({ console, query, caller: { teams } }) => {
  const { cursor = null, limit, ...asked } = query;
  const filter = teams === null ? asked : { ...asked, teams };
  const found = await findCases(console.store, { filter, cursor, limit });
  // A whole search would read everybody's cases.
  const total = teams === null ? found.total : found.searched;
  return { ...found, total, cases: found.cases.map(withoutPayloads) };
};

/** What people wrote into a case is shown with the case, where its contract says what of it is sensitive. */
function withoutPayloads(one: WardCase): WardCase {
  const { proposal, decision } = one;
  return {
    ...one,
    proposal: proposal === null ? null : { ...proposal, payload: SENSITIVE_MASK },
    decision: decision?.payload === undefined ? decision : { ...decision, payload: SENSITIVE_MASK },
  };
}
