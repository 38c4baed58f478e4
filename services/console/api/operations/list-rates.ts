import { z } from "zod";
import { RATE_SPANS } from "#shared/store/feedback";
import { operation } from "../operation.ts";

/** How much of what each agent, contract, model and prompt version makes is malformed; the worst first. */
export const listRates = operation({
  id: "listRates",
  role: "viewer",
  query: z.strictObject({ span: z.enum(RATE_SPANS).default("hour") }),
  handle: async ({ console, query }) => ({
    span: query.span,
    producers: await console.store.rates.read(query.span),
  }),
});
