import { z } from "zod";
import { derivedId, now, timestamp } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import { openBytes, unpackText } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import { FAILURE_CLASSES, SEVERITIES } from "#shared/errors";
import { compileSchema } from "#shared/compiled-schema";
import type { Admission } from "#shared/store/settlement";
import { ADMISSION_LIMITS } from "../case.ts";
import type { CaseAdmission } from "../case.ts";
import { AdmissionForeignError, AdmissionInvalidError, AdmissionNewerError } from "../errors.ts";
import { proveMessage } from "./provenance.ts";
import type { ProveMessageOptions, ProvenMessage } from "./provenance.ts";

const failureSchema = z.object({
  failure_class: z.enum(FAILURE_CLASSES),
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  severity: z.enum(SEVERITIES),
  direction: z.enum(["in", "out", "run"]),
  agent: z.string(),
  contract: z.string().nullable(),
  issues: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  step: z.string().nullable(),
  stack: z.array(z.string()).exactOptional(),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
  at: z.string(),
});

export const admissionSchema = z.object({
  case_id: z.string().min(1).max(200),
  message_id: z.string().min(1).max(200),
  run_id: z.string().max(200),
  team: z.string().max(200),
  agent: z.string().max(200),
  contract: z.string().max(300),
  schema: z.record(z.string(), z.unknown()),
  disposition: z.enum(["operate", "quarantine", "reroute"]),
  subject: z.union([
    z.object({ kind: z.literal("payload") }),
    z.object({
      kind: z.literal("answer"),
      step: z.string(),
      text: z.string(),
      ending: z.enum(["whole", "cut"]).optional(),
    }),
  ]),
  bytes: z.string().nullable(),
  stored: z.string(),
  parent: z.object({ index: z.int().min(0), message: z.unknown() }).optional(),
  failures: z.array(failureSchema),
  producer: z.object({
    agent: z.string(),
    contract: z.string(),
    model: z.string().nullable(),
    prompt_version: z.string().nullable(),
  }),
  branch: z.string().max(200).optional(),
  time_left_ms: z.number(),
  admitted_by: z.string(),
  at: z.string(),
});

/** Fast check that accepts nearly all; the schema decides on others. */
const isPayloadAdmission = compileSchema(
  admissionSchema.extend({ subject: z.object({ kind: z.literal("payload") }) }),
);

/**
 * Parses an admission for filing. Unverified: nothing of it may be repaired or sent before `openAdmission` has
 * verified it.
 *
 * @throws {AdmissionInvalidError}
 */
export function readAdmission(admission: Admission): CaseAdmission {
  return parseAdmission(admission.case_id, textOf(admission));
}

/** A message with a valid seal, and its admission record. */
export interface ReadDeadMessage extends ProvenMessage {
  readonly record: CaseAdmission;
}

/** A message that failed verification: it is not read. */
export interface UnreadMessage {
  readonly record: CaseAdmission;
  readonly envelope: null;
}

/** A message whose admission is verified. */
export type OpenedDeadMessage = ReadDeadMessage | UnreadMessage;

/**
 * Verifies an admission: signed on the edge to the ward by the message's receiver or sender, about a message with a
 * valid seal of its own edge.
 *
 * @throws {UntrustedMessageError
 * AdmissionForeignError}
 * @throws {AdmissionNewerError} Genuine, but of a form that this release does not know.
 */
export function openAdmission(
  asked: ProveMessageOptions & { readonly admission: Admission },
): OpenedDeadMessage {
  const { admission, keyring } = asked;
  // The case's name is outside the seal, and is checked below.
  const { case_id: caseId, ...message } = admission;
  const { bytes: text, key } = openBytes({
    message,
    queue: "ward",
    jobId: caseId,
    keyring,
    limits: ADMISSION_LIMITS,
  });
  const record = parseSigned(admission.case_id, text);
  const refuse = (problem: string): never => {
    throw new AdmissionForeignError(admission.case_id, problem);
  };
  if (record.case_id !== admission.case_id) refuse("it names another case");
  if (agentNameOf(record.admitted_by) !== key.from) refuse("its signer is not who it says");
  const { bytes } = record;
  if (bytes === null) {
    if (record.agent !== key.from) refuse("only its receiver can tell that a message did not verify");
    return { record, envelope: null };
  }
  const proven = proveMessage({ ...record, bytes }, key.from, asked);
  if (caseIdOf(proven.envelope) !== record.case_id) refuse("its message is of another case");
  return { ...proven, record: { ...record, at: timeOf(record, proven.envelope) } };
}

/** Returns the case of a message: the one that it was discharged from, or its own. */
function caseIdOf({ meta }: Envelope): string {
  return meta.case_id ?? derivedId("case", meta.message_id);
}

/** Returns the time of death, between the message's creation and now. */
function timeOf({ at }: CaseAdmission, { meta }: Envelope): string {
  const atMs = Math.min(Math.max(Date.parse(at), Date.parse(meta.timestamp)), now());
  return timestamp(Number.isNaN(atMs) ? now() : atMs);
}

function textOf(admission: Admission): string {
  const { sealed, encoding } = admission;
  if (typeof sealed !== "string") throw new AdmissionInvalidError(admission.case_id, ["sealed"]);
  try {
    return unpackText({ sealed, encoding }, ADMISSION_LIMITS.envelopeBytesMax);
  } catch {
    throw new AdmissionInvalidError(admission.case_id, ["sealed"]);
  }
}

/** Our own processes wrote what is signed, so an unknown form belongs to another release. */
function parseSigned(caseId: string, bytes: string): CaseAdmission {
  try {
    return parseAdmission(caseId, bytes);
  } catch (error) {
    if (error instanceof AdmissionInvalidError) throw new AdmissionNewerError(caseId, error.places);
    throw error;
  }
}

function parseAdmission(caseId: string, text: string): CaseAdmission {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AdmissionInvalidError(caseId, ["sealed"]);
  }
  // The schema accepted it with the value as its output.
  if (isPayloadAdmission?.(value) === true) return value as CaseAdmission;
  const parsed = admissionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AdmissionInvalidError(
    caseId,
    parsed.error.issues.map((issue) => issue.path.join(".") || "sealed"),
  );
}
