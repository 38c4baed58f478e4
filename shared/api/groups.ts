import { z } from "zod";
import {
  auditEntrySchema,
  causeNoteSchema,
  GROUP_LIFECYCLES,
  groupSchema,
  recipeSchema,
} from "#shared/store/cases";
import { caseViewSchema } from "./case-forms.ts";
import {
  idField,
  limitQuery,
  offsetQuery,
  OPERATORS,
  optionalWhy,
  optionalWhyBody,
  textQuery,
  versionField,
  VIEWERS,
  whyField,
} from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

/**
 * Reasons for which a group needs a person, the most urgent first.
 * - `regressed`: messages came though somebody had called it resolved;
 * - `failing_again`: messages that were repaired came back, and some of it is open: the repair may be wrong;
 * - `waiting`: cases wait for a decision, and nobody has said that they look after it;
 * - `looked_after`: somebody has, and some of it is open;
 * - `in_treatment`: the surgeon is on all that is open;
 * - `quiet`: nothing of it is open.
 */
export const ATTENTIONS = [
  "regressed",
  "failing_again",
  "waiting",
  "looked_after",
  "in_treatment",
  "quiet",
] as const;

export const GROUP_SORTS = ["need", "last_seen", "first_seen", "open", "count", "replays", "cost"] as const;

export type GroupSort = (typeof GROUP_SORTS)[number];

export const groupParams = z.object({ fingerprint: idField });

/** A group as people see it in a list. */
export const groupViewSchema = groupSchema.extend({ attention: z.enum(ATTENTIONS) });

/** `name@version` of an agent, a contract or an outside producer. */
const sinceField = z
  .string()
  .max(200)
  .regex(/^[^@]{1,180}@\d{1,9}$/, "must be a name, @ and a whole number")
  .exactOptional();

/** A person's mark on a group. */
function mark<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/ward/groups/:fingerprint/${kind}`, OPERATORS, `group.${kind}`),
    summary,
    params: groupParams,
    answers: { 200: groupSchema },
    problems: ["not_found", "changed_meanwhile"],
  } as const;
}

/** A recipe: how far it is believed, whose repair it was taken from, and what it healed. */
export const usedRecipeSchema = recipeSchema.extend({
  healed: z.int().meta({ description: "Messages that it healed." }),
});

export const GROUPS = {
  listSources: {
    ...get("/v1/ward/sources", VIEWERS),
    summary: "List attached BullMQ queues, whose failed jobs are cases beside the ward's own",
    answers: {
      200: z.object({
        sources: z.array(
          z.object({
            source: z.string(),
            seal: z.literal("unsealed").meta({ description: "Its jobs are no signed messages." }),
            has_contract: z.boolean(),
            problem: z.string().nullable().meta({ description: "Why it cannot be read; null if it can." }),
            counts: z
              .object({ failed: z.int(), waiting: z.int(), active: z.int(), delayed: z.int() })
              .nullable()
              .meta({ description: "Jobs by state; null if they cannot be read." }),
          }),
        ),
      }),
    },
  },
  listGroups: {
    ...get("/v1/ward/groups", VIEWERS),
    summary: "List groups of cases with one fingerprint",
    query: z.strictObject({
      source: idField.exactOptional().meta({
        description: "An attached queue, as `listSources` has it. Default: the ward's own groups.",
      }),
      attention: z.enum(ATTENTIONS).exactOptional(),
      lifecycle: z.enum(GROUP_LIFECYCLES).exactOptional(),
      text: textQuery.exactOptional(),
      sort: z.enum(GROUP_SORTS).default("last_seen"),
      limit: limitQuery,
      offset: offsetQuery,
    }),
    answers: {
      200: z.object({
        groups: z.array(groupViewSchema),
        total: z.int(),
        is_cut: z.boolean().meta({ description: "There are more groups than were looked at." }),
      }),
    },
  },
  showGroup: {
    ...get("/v1/ward/groups/:fingerprint", VIEWERS),
    summary: "Show a group with its recipes and its audit",
    params: groupParams,
    answers: {
      200: groupViewSchema.extend({
        recipes: z.array(usedRecipeSchema),
        audit: z.array(auditEntrySchema),
      }),
    },
    problems: ["not_found"],
  },
  showCause: {
    ...get("/v1/ward/groups/:fingerprint/cause", VIEWERS),
    summary: "Show the cause note of a group with its examples, their contract and their producer",
    params: groupParams,
    answers: {
      200: z.object({
        fingerprint: z.string(),
        producer: z.string(),
        cause: z.array(z.string()),
        note: causeNoteSchema.nullable(),
        issue: z.string().nullable().meta({ description: "The note as Markdown, once it is written." }),
        examples: z.array(
          caseViewSchema
            .pick({ original: true, contract: true, marks: true, repair: true })
            .extend({ case_id: z.string() }),
        ),
      }),
    },
    problems: ["not_found"],
  },
  writeCause: {
    ...post("/v1/ward/groups/:fingerprint/cause", OPERATORS, "group.cause"),
    summary: "Have the surgeon's model write the cause note of a group, once, within the group's money",
    params: groupParams,
    body: z.strictObject({}).default({}),
    answers: { 202: causeNoteSchema },
    problems: ["not_found", "cause_unavailable"],
  },
  acknowledgeGroup: {
    ...mark("acknowledge", "Say that somebody looks after a group, for good or until a time"),
    body: z
      .strictObject({
        why: optionalWhy,
        version: versionField,
        until: z.iso.datetime().exactOptional().meta({
          description: "From then on the group needs somebody again, as if nobody had said so.",
        }),
      })
      .default({ why: "" }),
  },
  resolveGroup: {
    ...mark("resolve", "Say that the cause of a group is gone, with `since` from that version on"),
    body: z.strictObject({ why: whyField, since: sinceField, version: versionField }),
  },
  reopenGroup: { ...mark("reopen", "Take back what was said about a group"), body: optionalWhyBody },
} as const satisfies DeclaredApi;
