import { z } from "zod";
import { derivedId, now, timestamp } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import { openBytes, unpackText } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import { compileSchema } from "#shared/compiled-schema";
import { readJson } from "#shared/json";
import type { Admission } from "#shared/store/settlement";
import { ADMISSION_LIMITS, admissionSchema } from "../case.ts";
import type { CaseAdmission } from "../case.ts";
import { AdmissionForeignError, AdmissionInvalidError, AdmissionNewerError } from "../errors.ts";
import { proveMessage } from "./provenance.ts";
import type { ProveMessageOptions, ProvenMessage } from "./provenance.ts";

/** Fast check that accepts nearly all; the schema decides on others. */
const isPayloadAdmission = compileSchema(
  admissionSchema.extend({ subject: z.object({ kind: z.literal("payload") }) }),
);

/** Parses an admission for filing, unverified: see `openAdmission`. @throws {AdmissionInvalidError} */
export function readAdmission(admission: Admission): CaseAdmission {
  return parseAdmission(admission.case_id, textOf(admission));
}

/** A message with a valid seal, and its admission record. */
export interface ReadDeadMessage extends ProvenMessage {
  readonly record: CaseAdmission;
}

/** A message whose admission is verified; not read if it failed verification itself. */
export type OpenedDeadMessage = ReadDeadMessage | { readonly record: CaseAdmission; readonly envelope: null };

/**
 * Verifies an admission: signed on the edge to the ward by the message's receiver or sender, about a message with a
 * valid seal of its own edge.
 *
 * @throws {UntrustedMessageError | AdmissionForeignError}
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
  const value = readJson(text);
  // The schema accepted it with the value as its output.
  if (isPayloadAdmission?.(value) === true) return value as CaseAdmission;
  const parsed = admissionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AdmissionInvalidError(
    caseId,
    parsed.error.issues.map((issue) => issue.path.join(".") || "sealed"),
  );
}
