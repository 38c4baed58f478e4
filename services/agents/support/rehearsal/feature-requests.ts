import type { StandIn } from "#shared/runtime";
import type { IdeaInput } from "../feature-requests/answer.ts";
import { foldText } from "../reading/fold-text.ts";

/** Notes a wish in the customer's words. */
export const noteIdea: StandIn = ({ idea, text }: IdeaInput) => ({
  title: idea.slice(0, 120),
  benefit: idea.slice(0, 500),
  area: / (?:api|webhook|integrat|export)/.test(foldText(`${idea} ${text}`)) ? "integration" : "other",
});
