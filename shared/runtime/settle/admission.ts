import { derivedId, now, timestamp } from "#shared/clock";
import type { Contract } from "#shared/contract";
import { isSurgeon } from "#shared/envelope";
import { sealBytes } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Failure } from "#shared/errors";
import type { Admission } from "#shared/store/settlement";
import { ADMISSION_LIMITS } from "#shared/ward";
import type { CaseAdmission, CaseSubject } from "#shared/ward";
import { branchFieldOf, failureDetail } from "./effects.ts";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { Delivery, CheckedHandoff, Workplace } from "../deliver/delivery.ts";
import type { SealedHandoff } from "./effects.ts";

/** A dead message and its failures. */
interface DeadMessage {
  readonly messageId: string;
  /** Null: it never verified, and must not be read. */
  readonly message: { readonly envelope: Envelope; readonly bytes: string } | null;
  /** The job's data as stored. */
  readonly stored: unknown;
  /** Plain name of its receiver. */
  readonly agent: string;
  readonly contract: Contract | null;
  readonly subject: CaseSubject;
  readonly disposition: CaseAdmission["disposition"];
  readonly failures: readonly Failure[];
  /** `name@version` of the producer of what is wrong. */
  readonly producer: string;
  /** For a message that its sender could not send: the message that the sender was handling. */
  readonly parent?: CaseAdmission["parent"];
}

/** Returns the case of a dead message: its own, or the one that it was discharged from and now reopens. */
function caseIdOf(dead: Pick<DeadMessage, "messageId" | "message">): string {
  const meta = dead.message?.envelope.meta;
  // Only the surgeon may name a case.
  const known = meta !== undefined && isSurgeon(meta.source_agent) ? meta.case_id : undefined;
  return known ?? derivedId("case", dead.messageId);
}

/** Creates a dead message's admission to the ward, signed by the agent. @param runId - "" if no known run waits. */
export function admission(
  { agent, team, keyring, store }: Pick<Workplace, "agent" | "team" | "keyring" | "store">,
  runId: string,
  dead: DeadMessage,
): Admission {
  const caseId = caseIdOf(dead);
  const expiresAt = dead.message?.envelope.meta.expires_at ?? null;
  const record: CaseAdmission = {
    case_id: caseId,
    message_id: dead.messageId,
    run_id: runId,
    team: team.name,
    agent: dead.agent,
    contract: dead.contract?.id ?? "",
    schema: dead.contract?.jsonSchema ?? {},
    disposition: dead.disposition,
    subject: dead.subject,
    bytes: dead.message?.bytes ?? null,
    stored: storedOf(dead),
    ...(dead.parent === undefined ? {} : { parent: dead.parent }),
    failures: dead.failures,
    producer: producerOf(agent.id, dead),
    ...branchFieldOf(dead.message?.envelope.meta),
    time_left_ms:
      expiresAt === null
        ? -1
        : Math.max(0, Date.parse(expiresAt) + store.restores.extensionMs(runId) - now()),
    admitted_by: agent.id,
    at: timestamp(),
  };
  const bytes = JSON.stringify(record);
  const key = keyring.signing(agent.name, "ward");
  return {
    case_id: caseId,
    ...sealBytes({ bytes, queue: "ward", id: caseId, key, limits: ADMISSION_LIMITS }),
  };
}

/** Returns the producer, model and prompt as the failure names them; of another agent's payload as claimed. */
function producerOf(admitter: string, dead: DeadMessage): CaseAdmission["producer"] {
  const failure = dead.failures[0];
  if (dead.producer === admitter || dead.message === null) {
    return {
      agent: dead.producer,
      contract: dead.contract?.id ?? "",
      model: failure?.model ?? null,
      prompt_version: failure?.prompt_version ?? null,
    };
  }
  const { contract } = dead.message.envelope.meta;
  return { agent: dead.producer, contract, model: null, prompt_version: null };
}

const STORED_CHARACTERS_MAX = 2 * 1024 * 1024;

/**
 * Returns the stored form without a verified plain text, which is kept in `bytes`; the surgeon puts it back under its
 * seal. A compressed one is kept as sealed, because another release may compress it differently.
 */
function storedOf(dead: DeadMessage): string {
  const stored: unknown = dead.stored ?? null;
  if (dead.message === null || typeof stored !== "object" || stored === null)
    return JSON.stringify(stored).slice(0, STORED_CHARACTERS_MAX);
  const isPacked = "encoding" in stored && stored.encoding === "gzip";
  return JSON.stringify(isPacked ? stored : { ...stored, sealed: null });
}

/** A handoff whose payload violates its contract: the child message is admitted to the ward. */
interface DeadHandoff {
  readonly handoff: CheckedHandoff;
  readonly child: SealedHandoff;
}

/** Returns the admission of a handoff that was never sent. */
export function deadAdmission(delivery: Delivery, { handoff, child }: DeadHandoff): Admission {
  return admission(delivery.place, delivery.hold.runId, {
    messageId: child.envelope.meta.message_id,
    message: child,
    stored: child.message,
    agent: handoff.draft.to,
    contract: handoff.draft.contract,
    subject: { kind: "payload" },
    disposition: isForPerson(handoff) ? "quarantine" : "operate",
    failures: handoff.failure === null ? [] : [handoff.failure],
    producer: delivery.place.agent.id,
    parent: { index: child.index, message: { ...delivery.job.data, attempt: 0 } },
  });
}

/** Returns its change of the run. */
export function deadChange(delivery: Delivery, { handoff, child }: DeadHandoff): RunChange {
  const state = isForPerson(handoff) ? "quarantined" : "in_ward";
  const { meta } = child.envelope;
  return {
    event: {
      id: derivedId(meta.message_id, "in_ward"),
      run_id: delivery.hold.runId,
      type: state,
      at: timestamp(),
      message_id: meta.message_id,
      agent: handoff.draft.to,
      detail: { from: delivery.place.agent.name, ...failureDetail(handoff.failure) },
    },
    moves: { state, rank: rankOf.ward(0) },
    ...branchFieldOf(meta),
  };
}

function isForPerson({ failure, draft }: CheckedHandoff): boolean {
  return failure?.failure_class === "content_error" && draft.contract.options.onContentError === "quarantine";
}
