import { viewHandoffs } from "#shared/api";
import type { Handler } from "../operation.ts";
import { requireTotals, teamsFor } from "../tenancy/may-see.ts";

/** Who may send what to whom, and what became of it. */
export const listHandoffs: Handler<"listHandoffs"> = ({ gateway, query, caller }) => {
  requireTotals(caller);
  return viewHandoffs(gateway.store, { teams: teamsFor(gateway, caller), span: query.span });
};
