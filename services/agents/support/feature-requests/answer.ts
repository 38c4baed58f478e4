import { z } from "zod";
import { contract } from "#shared/contract";

export const IdeaNote = contract(
  "features.note@1",
  z.object({
    title: z.string().min(1).max(120).meta({ "x-surgeon-writes": true }),
    benefit: z.string().min(1).max(500).meta({ "x-surgeon-writes": true }),
    area: z.enum(["app", "shop", "delivery", "account", "integration", "other"]).meta({
      "x-synonyms": {
        app: ["mobile"],
        shop: ["website", "store"],
        integration: ["api"],
        other: ["general"],
      },
    }),
  }),
  { description: "A wish as the product people read it." },
);

export interface IdeaInput {
  readonly idea: string;
  readonly text: string;
}
