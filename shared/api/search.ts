import { z } from "zod";
import { limitQuery, textQuery, VIEWERS } from "./fields.ts";
import { get } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const foundSchema = z.object({
  kind: z.enum(["run", "case"]),
  id: z.string(),
  team: z.string(),
  status: z.string(),
  at: z.string().meta({ description: "When the run was created or the case came, ISO 8601." }),
});

export const SEARCH = {
  search: {
    ...get("/v1/search", VIEWERS),
    summary:
      "Find runs and cases by what they hold: ids, traces, users, statuses, and their values, as a viewer sees them",
    query: z.strictObject({
      text: textQuery.min(1).meta({
        description: "Words, all of which have to be there; the last may be the beginning of one.",
      }),
      kind: z.enum(["run", "case"]).exactOptional(),
      limit: limitQuery,
    }),
    answers: {
      200: z.object({
        found: z.array(foundSchema).meta({ description: "Newest first." }),
        looked_back_to: z.string().nullable().meta({
          description: "The index has everything since then; null: everything that is kept.",
        }),
      }),
    },
  },
} as const satisfies DeclaredApi;
