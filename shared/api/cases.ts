import { z } from "zod";
import { FAILURE_CLASSES } from "#shared/errors";
import { CASE_STATUSES } from "#shared/store/cases";
import { caseSchema, caseViewSchema, proposalCheckSchema } from "./case-forms.ts";
import {
  acceptsField,
  ADMINS,
  idField,
  limitQuery,
  OPERATORS,
  optionalWhy,
  optionalWhyBody,
  textQuery,
  versionField,
  VIEWERS,
  whyBody,
  whyField,
} from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const PAYLOAD_CHARS_MAX = 1_048_576;
const PATH_CHARS_MAX = 300;
/** A job's id may have 1,000 characters. */
const CASE_ID_CHARS_MAX = 1200;
const CURSOR_CHARS_MAX = 2100;

const caseParams = z.object({
  case_id: z.union([idField, z.string().startsWith("bullmq:").max(CASE_ID_CHARS_MAX)]),
});

/** A new value: `payload_text` as JSON text, in which digits stay as typed, or `payload` as a value. */
const payloadFields = {
  payload: z.unknown().optional(),
  payload_text: z.string().max(PAYLOAD_CHARS_MAX).exactOptional(),
};

/** SHA-256, hex. */
const digestField = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex")
  .exactOptional();

const ATTACHED_PROBLEMS = ["attached_away", "changed_meanwhile", "attached_job_held"] as const;
const DECISION_PROBLEMS = [
  "not_found",
  "ward_case_changed",
  "ward_decision_refused",
  ...ATTACHED_PROBLEMS,
] as const;

/** A decision about a case: it is written down, and the surgeon carries it out; an attached queue's at once. */
function decision<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/ward/cases/:case_id/${kind}`, OPERATORS, `case.${kind}`),
    summary,
    params: caseParams,
    answers: { 202: caseSchema },
    problems: DECISION_PROBLEMS,
  } as const;
}

export const CASES = {
  listCases: {
    ...get("/v1/ward/cases", VIEWERS),
    summary: "List cases that meet every filter, newest first; of an attached queue's group, oldest first",
    query: z.strictObject({
      status: z.enum(CASE_STATUSES).exactOptional(),
      fingerprint: idField.exactOptional(),
      agent: idField.exactOptional(),
      run_id: idField.exactOptional(),
      failure_class: z.enum(FAILURE_CLASSES).exactOptional(),
      text: textQuery.exactOptional(),
      cursor: z.string().max(CURSOR_CHARS_MAX).exactOptional(),
      limit: limitQuery,
    }),
    answers: {
      200: z.object({
        cases: z.array(caseSchema),
        cursor: z.string().nullable(),
        searched: z.int().meta({ description: "Cases looked at for this page." }),
        total: z.int().meta({ description: "Cases in the index that was read." }),
      }),
    },
  },
  showCase: {
    ...get("/v1/ward/cases/:case_id", VIEWERS),
    summary: "Show a case with its message and operations",
    params: caseParams,
    answers: { 200: caseViewSchema },
    problems: ["not_found"],
  },
  revealCase: {
    ...post("/v1/ward/cases/:case_id/reveal", ADMINS, "case.reveal"),
    summary: "Show a case with the values that its contract marks as sensitive",
    params: caseParams,
    body: z.strictObject({
      why: whyField,
      path: z
        .string()
        .max(PATH_CHARS_MAX)
        .regex(/^\//, "must be a JSON pointer such as /patient")
        .exactOptional()
        .meta({ description: "JSON pointer into the message's payload. Default: everything." }),
    }),
    answers: { 200: caseViewSchema },
    problems: ["not_found"],
  },
  checkPayload: {
    ...post("/v1/ward/cases/:case_id/check", VIEWERS),
    summary: "Say what a release with this value would meet; changes nothing",
    params: caseParams,
    body: z.strictObject(payloadFields),
    answers: { 200: proposalCheckSchema },
    problems: ["not_found", "message_unreadable"],
  },
  releaseCase: {
    ...decision("release", "Send a message on, as it is or with another value"),
    body: z.strictObject({
      ...payloadFields,
      accepts_effects: acceptsField,
      why: whyField,
      version: versionField,
    }),
    problems: ["message_unreadable", ...DECISION_PROBLEMS],
  },
  proposeCase: {
    ...post("/v1/ward/cases/:case_id/propose", OPERATORS, "case.propose"),
    summary: "Propose a repair of a case, or its discard; nothing goes out before a person signs it",
    params: caseParams,
    body: z.strictObject({
      decision: z
        .enum(["release", "discard"])
        .meta({ description: "`release` sends the message on with the value of `payload`." }),
      ...payloadFields,
      why: whyField,
      version: versionField,
    }),
    answers: {
      200: z.object({
        case_id: z.string(),
        proposal: z.string().meta({ description: "Digest of what was proposed, by which it is signed." }),
        check: proposalCheckSchema.nullable().meta({ description: "The verdict on a repair." }),
      }),
    },
    problems: ["message_unreadable", ...DECISION_PROBLEMS],
  },
  declineCase: {
    ...post("/v1/ward/cases/:case_id/decline", OPERATORS, "case.decline"),
    summary: "Turn down what was proposed for a case",
    params: caseParams,
    body: whyBody,
    answers: { 200: z.object({ case_id: z.string() }) },
    problems: DECISION_PROBLEMS,
  },
  approveCase: {
    ...decision("approve", "Sign what was proposed for a case, or another person's change as the second one"),
    body: whyBody.extend({ proposal: digestField }),
  },
  decideApproval: {
    ...decision("approval", "Approve or refuse the tool call that a case waits with"),
    body: z.strictObject({ approved: z.boolean(), why: whyField, version: versionField }),
    problems: ["no_approval_waits", ...DECISION_PROBLEMS],
  },
  discardCase: { ...decision("discard", "End a case without its message going on"), body: whyBody },
  restoreCase: {
    ...decision("restore", "Undo a discard, while its run goes on; or the edits of a job that is failed"),
    body: optionalWhyBody,
  },
  redirectCase: {
    ...decision("redirect", "Send a message to another agent that takes its contract"),
    body: whyBody.extend({ agent: idField }),
    problems: ["message_unreadable", ...DECISION_PROBLEMS],
  },
  operateCase: {
    ...decision("operate", "Have the ladder try again; send a job back with its proved repair"),
    body: z
      .strictObject({ accepts_effects: acceptsField, why: optionalWhy, version: versionField })
      .default({ why: "" }),
  },
} as const satisfies DeclaredApi;
