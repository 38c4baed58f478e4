import { z } from "zod";
import { rateHandoffs } from "#shared/feedback";
import { listHandoffs as declaredBy } from "#shared/runtime";
import { RATE_SPANS } from "#shared/store/feedback";
import { operation } from "../operation.ts";

/** Who may send what to whom in each team, and what became of it. */
export const listHandoffs = operation({
  id: "listHandoffs",
  role: "viewer",
  query: z.strictObject({ span: z.enum(RATE_SPANS).default("hour") }),
  handle: async ({ console, query }) => ({
    span: query.span,
    teams: console.teams.map(({ name, entry, agents }) => ({
      team: name,
      entry: entry.name,
      agents: [...agents.keys()],
    })),
    handoffs: rateHandoffs(declaredBy(console.teams), await console.store.handoffRates.read(query.span)),
  }),
});
