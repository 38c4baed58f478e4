import { supervisor } from "#shared/patterns";
import { Brief, Commission, Found, Topic } from "../contracts.ts";
import type { ResearchSetup } from "../setup.ts";
import { ROUND_MS_DEFAULT } from "../limits.ts";
import { writeBrief } from "./write-brief.ts";

/** Has every question looked up by a researcher of its own, all at once; hands what there is on, failures included. */
export function createInvestigation({ roundMs = ROUND_MS_DEFAULT }: Pick<ResearchSetup, "roundMs">) {
  return supervisor("investigation", {
    accepts: Commission,
    workers: { researcher: Topic },
    collects: Found,
    handsOnTo: { report: Brief },
    roundsMax: 1,
    roundMs,
    decide: (state) =>
      Promise.resolve(
        state.round === 0
          ? {
              delegate: state.goal.questions.map((question) => ({
                worker: "researcher",
                payload: { question },
              })),
            }
          : { handOn: { to: "report", payload: writeBrief(state) } },
      ),
  });
}
