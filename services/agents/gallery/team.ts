import { team } from "#shared/runtime";
import { cataloguer, index } from "./cataloguer/agent.ts";
import { desk } from "./desk/agent.ts";
import { createExplainer } from "./explainer/agent.ts";
import { GalleryResult } from "./contracts.ts";

/** A gallery of code snippets, and of the patterns that the other teams do not need. */
export default team(
  "gallery",
  [
    desk,
    createExplainer("gallery-explainer", "worker"),
    createExplainer("gallery-second-explainer", "router"),
    cataloguer,
    index,
  ],
  {
    description: "Explains contributed code snippets and makes cards of them.",
    // Reaction “fail fast”: a card is cheap, so a run that fails ends, and its author submits again.
    onFailure: "end",
    fallbacks: {
      "gallery-explainer>gallery-cataloguer": ["gallery-index"],
      "gallery-second-explainer>gallery-cataloguer": ["gallery-index"],
    },
    result: GalleryResult,
    redacts: ["card", "iban", "secret"],
  },
);
