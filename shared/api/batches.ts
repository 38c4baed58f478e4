import { z } from "zod";
import { CASE_STATUSES } from "#shared/store/cases";
import { CANARY_MAX, CASE_RESULTS, RATE_MAX, storedSchema } from "#shared/ward/batches";
import {
  acceptsField,
  idField,
  limitQuery,
  offsetQuery,
  OPERATORS,
  optionalWhyBody,
  VIEWERS,
  whyBody,
  whyField,
} from "./fields.ts";
import { groupParams } from "./groups.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const batchParams = z.object({ batch_id: idField });

/** One decision for all cases of a group, with its progress. */
const batchSchema = storedSchema.omit({ person: true, accepts_effects: true, refusals: true }).extend({
  batch_id: z.string(),
  under_way: z.int(),
  only_passing: z.boolean(),
  problem: z.string().nullable().meta({ description: "Why cases were left alone; null if none were." }),
  forecast: z.object({ likely_usd: z.number().nullable(), most_usd: z.number() }).meta({
    description:
      "Cost of model calls for what is left, in USD: nothing for cases that passed the dry run. Likely: as its group's " +
      "cases with such calls cost on average; null while there is none. Most: as the limits of a case and of its group allow.",
  }),
  examples: z
    .array(z.object({ case_id: z.string(), changes: z.array(z.string()) }))
    .exactOptional()
    .meta({
      description: "Of an attached queue, for operators: places of the first repairs, without values.",
    }),
});

function step<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/ward/applies/:batch_id/${kind}`, OPERATORS, `group.${kind}`),
    summary,
    params: batchParams,
    answers: { 202: batchSchema },
    problems: ["not_found", "ward_batch_state"],
  } as const;
}

export const BATCHES = {
  applyToGroup: {
    ...post("/v1/ward/groups/:fingerprint/apply", OPERATORS, "group.plan"),
    summary: "Plan one decision for all cases of a group: a dry run, after which a person starts it",
    params: groupParams,
    body: z.strictObject({
      decision: z.enum(["operate", "release", "discard"]),
      why: whyField,
      canary: z.int().min(0).max(CANARY_MAX).exactOptional(),
      rate_per_second: z.number().gt(0).max(RATE_MAX).exactOptional(),
      accepts_effects: acceptsField,
      only_passing: z.boolean().default(true).meta({
        description: "Leave cases alone that the dry run found to fail. Otherwise they come last.",
      }),
    }),
    answers: { 202: batchSchema },
    problems: ["not_found", "ward_batch_state", "attached_away"],
  },
  listApplies: {
    ...get("/v1/ward/applies", VIEWERS),
    summary: "List work on whole groups, the newest first",
    query: z.strictObject({ fingerprint: idField.exactOptional() }),
    answers: { 200: z.object({ applies: z.array(batchSchema) }) },
  },
  showApply: {
    ...get("/v1/ward/applies/:batch_id", VIEWERS),
    summary: "Show work on a whole group",
    params: batchParams,
    answers: { 200: batchSchema },
    problems: ["not_found"],
  },
  listApplyCases: {
    ...get("/v1/ward/applies/:batch_id/cases", VIEWERS),
    summary: "List what became of each case, in the order of their decisions",
    params: batchParams,
    query: z.strictObject({ limit: limitQuery, offset: offsetQuery }),
    answers: {
      200: z.object({
        cases: z.array(
          z.object({
            case_id: z.string(),
            status: z.enum(CASE_STATUSES).nullable(),
            agent: z.string(),
            result: z.enum(CASE_RESULTS),
          }),
        ),
        total: z.int(),
      }),
    },
    problems: ["not_found"],
  },
  startApply: {
    ...step("start", "Start what was planned, or go on after the canary or a pause"),
    body: optionalWhyBody,
  },
  pauseApply: {
    ...step("pause", "Pause work on a group: what was decided stands, the rest waits for a start"),
    body: optionalWhyBody,
  },
  stopApply: {
    ...step("stop", "Stop work on a group: what was decided stands, nothing more is"),
    body: optionalWhyBody,
  },
  undoApply: {
    ...step("undo", "Undo a discard of a whole group, or the edits of jobs that have failed again"),
    body: whyBody,
  },
} as const satisfies DeclaredApi;
