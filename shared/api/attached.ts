import { z } from "zod";
import { idField, issueSchema, limitQuery, OPERATORS, optionalWhy, VIEWERS, whyField } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const PAYLOAD_CHARS_MAX = 1_048_576;
const JOB_ID_CHARS_MAX = 1000;
const CANARY_MAX = 100;

const queueParams = z.object({ queue: idField });
const jobField = z.string().min(1).max(JOB_ID_CHARS_MAX);
/** New data as JSON text, in which digits stay as typed. */
const dataField = z.string().min(1).max(PAYLOAD_CHARS_MAX);
/** What `listAttachedCases` gave: a job whose data was changed since is refused. */
const readVersion = z.string().min(1).max(100);
const acceptsField = z
  .boolean()
  .default(false)
  .meta({ description: "The person has looked whether effects may be repeated; without it jobs are held." });

const countsByReason = z.record(z.string(), z.int());

const groupSchema = z.object({
  id: z.string(),
  job_name: z.string(),
  faults: z.array(z.string()).meta({ description: "Of the data against the contract, without its values." }),
  error: z.string().meta({ description: "Without values of the data, ids, numbers and quoted text." }),
  count: z.int(),
  examples: z.array(z.string()).meta({ description: "Ids of jobs, for operators." }),
});

const reportSchema = z.object({
  batch: z.string(),
  matched: z.int(),
  sent: z.int(),
  held: countsByReason,
  unrepaired: z.int(),
  stopped: z.enum(["canary_failed", "canary_pending", "cancelled"]).nullable(),
  examples: z
    .array(z.object({ job: z.string(), changes: z.array(z.string()) }))
    .meta({ description: "Operations and places of the first repairs, without values; for operators." }),
});

const applySchema = z
  .object({
    group: z.string(),
    by: z.string(),
    is_dry_run: z.boolean(),
    began_ms: z.number(),
    state: z.enum(["running", "ended", "failed"]),
    report: reportSchema.nullable().meta({ description: "Null until it has ended." }),
    problem: z.string().nullable().meta({ description: "Why it failed." }),
  })
  .meta({ description: "Work on a whole group, of which a queue has one at a time." });

const queueSchema = z.object({
  name: z.string(),
  seal: z.literal("unsealed").meta({ description: "Its jobs are no signed messages." }),
  has_contract: z.boolean(),
  problem: z.string().nullable().meta({ description: "Why it cannot be read; null if it can." }),
  counts: z
    .object({ failed: z.int(), waiting: z.int(), active: z.int(), delayed: z.int() })
    .nullable()
    .meta({ description: "Jobs by state; null if they cannot be read." }),
  survey: z
    .object({
      at_ms: z.number().meta({ description: "When it was made." }),
      looked: z.int().meta({ description: "Failed jobs that were looked at." }),
      is_complete: z.boolean(),
      groups: z.array(groupSchema),
      groups_total: z.int(),
    })
    .nullable()
    .meta({ description: "Null before the first page was read." }),
  apply: applySchema.nullable().meta({ description: "The newest; null if there was none." }),
});

const caseSchema = z.object({
  job: z.string(),
  name: z.string(),
  seal: z.literal("unsealed"),
  group: z.string(),
  version: z.string(),
  data: z.string().nullable().meta({
    description:
      "JSON text, with secrets and `x-sensitive` values masked; null if it is no text or too large.",
  }),
  bytes: z.int(),
  failed_reason: z.string(),
  stacktrace: z.string(),
  attempts: z.int(),
  added_ms: z.number().nullable(),
  failed_ms: z.number(),
});

const outcomeSchema = z.object({
  job: z.string(),
  parent: z
    .enum(["none", "waiting", "failed"])
    .meta({ description: "State of its flow's parent. One that is failed has to be retried after it." }),
});

const PROBLEMS = ["not_found", "attached_away"] as const;
const DECISION_PROBLEMS = [...PROBLEMS, "changed_meanwhile", "attached_job_held"] as const;

function change<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/attached/:queue/${kind}`, OPERATORS, `attached.${kind}`),
    summary,
    params: queueParams,
  } as const;
}

/** BullMQ queues that run anyway. Ids of their jobs may hold any character, so that they stand in bodies. */
export const ATTACHED = {
  listAttached: {
    ...get("/v1/attached", VIEWERS),
    summary: "List attached queues with groups of their failed jobs",
    answers: { 200: z.object({ queues: z.array(queueSchema) }) },
  },
  listAttachedCases: {
    ...get("/v1/attached/:queue/cases", OPERATORS),
    summary: "List failed jobs of one group, oldest failure first",
    params: queueParams,
    query: z.strictObject({
      group: idField,
      limit: limitQuery,
      after: z
        .string()
        .max(2 * JOB_ID_CHARS_MAX)
        .exactOptional()
        .meta({ description: "`next` of the page before." }),
    }),
    answers: {
      200: z.object({
        cases: z.array(caseSchema),
        next: z.string().nullable().meta({
          description: "Where to go on: a page may be short, or empty, before the end. Null: it is.",
        }),
      }),
    },
    problems: PROBLEMS,
  },
  checkAttachedData: {
    ...post("/v1/attached/:queue/check", OPERATORS),
    summary: "Say what new data of a failed job would meet; changes nothing",
    params: queueParams,
    body: z.strictObject({ job: jobField, payload_text: dataField }),
    answers: { 200: z.object({ acceptable: z.boolean(), issues: z.array(issueSchema) }) },
    problems: PROBLEMS,
  },
  editAttachedJob: {
    ...change("edit", "Write new data to a failed job, which stays failed"),
    body: z.strictObject({ job: jobField, version: readVersion, payload_text: dataField, why: whyField }),
    answers: { 200: outcomeSchema },
    problems: DECISION_PROBLEMS,
  },
  redriveAttachedJob: {
    ...change("redrive", "Send a failed job back, as it is or with new data"),
    body: z.strictObject({
      job: jobField,
      version: readVersion,
      payload_text: dataField.exactOptional(),
      accepts_effects: acceptsField,
      why: whyField,
    }),
    answers: { 200: outcomeSchema },
    problems: DECISION_PROBLEMS,
  },
  applyToAttachedGroup: {
    ...change("apply", "Send the jobs of a group back, or say what would happen"),
    body: z.strictObject({
      group: idField,
      repair: z
        .enum(["rules", "none"])
        .meta({ description: "`none`: as they are, after the code was fixed." }),
      is_dry_run: z.boolean().default(true),
      canary: z.int().min(0).max(CANARY_MAX).default(0).meta({ description: "Jobs that are tried first." }),
      accepts_effects: acceptsField,
      why: optionalWhy,
    }),
    answers: { 202: applySchema },
    problems: [...PROBLEMS, "attached_busy"],
  },
  stopAttachedApply: {
    ...change("stop", "Stop the work on a group; jobs that were sent stay sent"),
    body: z.strictObject({ why: optionalWhy }).default({ why: "" }),
    answers: { 200: applySchema },
    problems: ["not_found"],
  },
  undoAttachedEdit: {
    ...change("undo", "Write back the data that a failed job had before its edits"),
    body: z.strictObject({ job: jobField, why: whyField }),
    answers: { 200: z.object({ job: z.string() }) },
    problems: DECISION_PROBLEMS,
  },
  undoAttachedBatch: {
    ...change("undo-batch", "Undo the edits of a batch, of those jobs that have failed again"),
    body: z.strictObject({ batch: idField, why: whyField }),
    answers: { 200: z.object({ outcomes: countsByReason }) },
    problems: PROBLEMS,
  },
  listAttachedAudit: {
    ...get("/v1/attached/:queue/audit", OPERATORS),
    summary: "List what was done to jobs of an attached queue, newest first, whoever did it",
    params: queueParams,
    query: z.strictObject({ limit: limitQuery }),
    answers: {
      200: z.object({
        audit: z.array(
          z.object({
            at_ms: z.number(),
            by: z.string(),
            deed: z.string(),
            job: z.string(),
            batch: z.string(),
          }),
        ),
      }),
    },
    problems: PROBLEMS,
  },
} as const satisfies DeclaredApi;
