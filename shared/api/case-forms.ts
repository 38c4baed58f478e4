import { z } from "zod";
import { FAILURE_CLASSES } from "#shared/errors";
import { auditEntrySchema, CASE_STATUSES } from "#shared/store/cases";
import { RUN_STATUSES } from "#shared/store/runs";
import { admissionSchema } from "#shared/ward";
import { DECISION_KINDS, decisionSchema, proposalSchema } from "#shared/ward/decisions";
import { issueSchema } from "./fields.ts";
import { runEventSchema } from "./runs.ts";

/** A case as people read it in a list. */
export const caseSchema = z.object({
  case_id: z.string(),
  version: z.int(),
  status: z.enum(CASE_STATUSES),
  fingerprint: z.string(),
  failure_class: z.enum(FAILURE_CLASSES),
  admitted_ms: z.number(),
  updated_ms: z.number(),
  message_id: z.string(),
  run_id: z.string(),
  team: z.string(),
  agent: z.string(),
  addressed_to: z.string(),
  contract: z.string(),
  disposition: z.enum(["operate", "quarantine", "reroute"]),
  subject: z.enum(["payload", "answer"]),
  producer: z.string(),
  messages: z.number(),
  operations: z.number(),
  reroutes: z.number(),
  taboo: z.array(z.string()),
  decision: decisionSchema.nullable(),
  /** A change that waits for a second person. */
  proposal: proposalSchema.nullable(),
  diagnosis: z.string().nullable(),
  waits: z.object({ why: z.string(), until_ms: z.number() }).nullable(),
  discharged_as: z.string().nullable(),
  job_id: z.string().nullable(),
  restarts: z.number(),
  cost: z.number(),
  closed_ms: z.number().nullable(),
  unreadable: z.array(z.string()),
  archived: z
    .literal(true)
    .exactOptional()
    .meta({ description: "It has left Redis for the archive: nothing can be decided. Absent: it has not." }),
});

/** RFC 6902. */
const patchSchema = z.array(
  z.object({
    op: z.string(),
    path: z.string(),
    from: z.string().exactOptional(),
    value: z.unknown().optional(),
  }),
);

const provenanceSchema = z.array(z.object({ path: z.string(), kind: z.string(), detail: z.string() }));
const objectionsSchema = z.array(issueSchema.extend({ value: z.unknown().optional() }));

const attemptFields = {
  procedure: z.enum(["triage", "recipe", "first_aid", "strong_model", "person"]),
  outcome: z.enum(["healed", "refused", "objected"]),
  reason: z.string(),
  said: z.string().exactOptional(),
  diff: patchSchema,
  provenance: provenanceSchema,
  objections: objectionsSchema,
};

const evidenceSchema = z
  .object({
    values: z.array(z.object({ path: z.string(), rules: z.array(z.string()), piece: z.string().nullable() })),
    unused: z.array(
      z.object({
        name: z.string().nullable(),
        reason: z.enum(["not_declared", "another_value", "left_out", "unnamed"]),
        piece: z.string(),
      }),
    ),
  })
  .nullable()
  .meta({
    description:
      "First aid only: the rules and the piece of the original behind each changed value, and data of it that is in no value.",
  });

const operationSchema = z.object({
  number: z.int(),
  message_id: z.string(),
  attempts: z.array(
    z.object({
      ...attemptFields,
      model: z.string().nullable(),
      tokens: z.number(),
      cost: z.number(),
      duration_ms: z.number(),
      recipe_id: z.string().exactOptional(),
      examples: z.array(z.string()).exactOptional(),
      on_trial: z.boolean().exactOptional(),
    }),
  ),
  by: z.string(),
  at: z.string(),
  trimmed: z.boolean(),
});

/** Everything a person needs to decide about one case. */
export const caseViewSchema = z.object({
  case: caseSchema,
  message: admissionSchema
    .pick({
      failures: true,
      producer: true,
      subject: true,
      stored: true,
      time_left_ms: true,
      admitted_by: true,
      at: true,
      contract: true,
    })
    .nullable()
    .meta({ description: "Null where not even the admission can be read." }),
  original: z
    .object({ text: z.string(), is_json: z.boolean() })
    .nullable()
    .meta({ description: "Null for a message that never verified: nobody has read it." }),
  contract: z.object({ id: z.string(), schema: z.unknown() }).nullable(),
  original_query: z.string().nullable(),
  approval: z
    .object({ call_id: z.string(), tool: z.string(), arguments: z.unknown() })
    .nullable()
    .meta({ description: "The tool call that waits for a person's word." }),
  repair: z.object({ value: z.unknown(), ...attemptFields, evidence: evidenceSchema }).nullable(),
  /** Places that something was said about: why the message died, or why the repair may not leave. */
  marks: z.array(issueSchema.extend({ from: z.enum(["failure", "objection"]) })),
  history: z.array(operationSchema),
  audit: z.array(auditEntrySchema),
  run: z.object({ status: z.enum(RUN_STATUSES), cost: z.number() }).nullable(),
  timeline: z.array(runEventSchema),
  actions: z
    .array(z.enum(DECISION_KINDS))
    .meta({ description: "What may be decided now, if the key's scope allows." }),
  redirects: z.array(z.string()).meta({ description: "Agents that a redirect may lead to." }),
});

/** The verdict on a person's new value. */
export const proposalCheckSchema = z.object({
  acceptable: z.boolean().meta({ description: "It could be released, if need be with a second person." }),
  issues: z.array(issueSchema),
  second_person: z
    .array(z.string())
    .meta({ description: "JSON pointers of changes that a second person has to approve." }),
  diff: patchSchema,
});
