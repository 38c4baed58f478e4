import type { StandIn } from "#shared/runtime";
import type { StepsInput } from "../technical/answer.ts";
import advice from "./advice.json" with { type: "json" };

/** Drafts the steps that a help desk sends first, in the customer's language. */
export const draftSteps: StandIn = ({ language }: StepsInput) => ({
  steps: advice[language === "other" ? "en" : language],
});
