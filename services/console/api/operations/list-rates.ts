import type { Handler } from "../operation.ts";

/** How much of what each agent, contract, model and prompt version makes is malformed; the worst first. */
export const listRates: Handler<"listRates"> = async ({ console, query }) => ({
  span: query.span,
  producers: await console.store.rates.read(query.span),
});
