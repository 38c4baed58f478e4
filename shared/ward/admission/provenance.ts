import { gzipSync } from "node:zlib";
import {
  agentNameOf,
  open,
  originalSealOf,
  senderOf,
  UntrustedMessageError,
  verifyOriginalSeal,
} from "#shared/envelope";
import type { Envelope, KeyEdge, Keyring, OriginalSeal, SealedMessage } from "#shared/envelope";
import type { CaseAdmission } from "../case.ts";
import { deriveChild, findForeignParent } from "./derive-child.ts";
import { AdmissionForeignError } from "../errors.ts";
import { RELEASED_STEP, withoutHealedAnswers } from "../moves/healed-answers.ts";

/** Where a message came from first: the edge of an agent or the gateway whose key sealed it, and that seal. */
export interface Origin {
  readonly edge: KeyEdge;
  readonly seal: OriginalSeal;
}

/** A message whose own seal was verified. */
export interface ProvenMessage {
  /** What may be believed of it: what stands in `bytes`, without what its sender had no right to write there. */
  readonly envelope: Envelope;
  /** Null for a discharge that names no first message: releases up to 0.1 wrote none. */
  readonly origin: Origin | null;
  /** Why no machine may send it on; null where one may. A person's release stands in for what is missing. */
  readonly doubt: string | null;
}

export interface ProveMessageOptions {
  readonly keyring: Keyring;
  /** Pointers that an edge's sender declares clean of labels. Default: none. */
  readonly clean?: (edge: KeyEdge) => readonly string[];
}

const SURGEON = "surgeon";

/** Takes back what isolated agents sent and nobody accepted in time. */
const RELAY = "relay";

/**
 * Verifies a dead message's own seal under the edge it was sealed for, whoever admits it, and works out what may be
 * believed of it.
 *
 * @param record - Of a verified admission. @param signer - The agent whose key signed that admission.
 * @throws {AdmissionForeignError} The seal does not hold, or the signer has no part in this message.
 * @throws {EnvelopeVersionUnsupportedError} A newer release sealed it.
 */
export function proveMessage(
  record: CaseAdmission & { readonly bytes: string },
  signer: string,
  options: ProveMessageOptions,
): ProvenMessage {
  const refuse = (problem: string): never => {
    throw new AdmissionForeignError(record.case_id, problem);
  };
  const message = storedMessageOf(record);
  const { envelope, bytes, key } = believing(refuse, () =>
    open({ message, queue: record.agent, jobId: record.message_id, keyring: options.keyring }),
  );
  if (bytes !== record.bytes) refuse("its message has other bytes than were sealed");
  if (envelope.meta.run_id !== record.run_id) refuse("its message is of another run");
  const isTakenBack =
    signer === RELAY && record.disposition === "reroute" && record.subject.kind === "payload";
  if (signer !== key.to && signer !== key.from && !isTakenBack)
    refuse("its signer neither sent nor received the message");
  if (record.subject.kind === "answer" && (signer !== key.to || record.subject.step === RELEASED_STEP))
    refuse("its signer may not answer for that step");
  if (key.from === SURGEON) return proveDischarge(refuse, envelope, options.keyring);
  const origin = {
    edge: { from: key.from, to: key.to },
    // `open` has read it as one.
    seal: originalSealOf(message as SealedMessage, record.message_id),
  };
  // A receiver's message was sent, and one that its sender took back as well: the sender says there what it likes.
  const wasSent = signer === key.to || record.disposition === "reroute";
  if (wasSent) return { envelope: asOfAgent(envelope), origin, doubt: null };
  return { origin, ...proveUnsent(refuse, { record, envelope, edge: origin.edge }, options) };
}

/** Healed answers, a case and a first message are the surgeon's to write; anybody else's are not read. */
function asOfAgent(envelope: Envelope): Envelope {
  const { case_id: _case, original_seal: _seal, ...meta } = envelope.meta;
  return { ...envelope, meta, conversation: withoutHealedAnswers(envelope.conversation) };
}

/** A discharge says whose message it replaces, and proves it: its path leads to nobody else. */
function proveDischarge(refuse: Refuse, envelope: Envelope, keyring: Keyring): ProvenMessage {
  const { original_seal: seal } = envelope.meta;
  if (seal === undefined) return { envelope, origin: null, doubt: null };
  const { from, to } = believing(refuse, () => verifyOriginalSeal(seal, keyring));
  const isFirst = from !== SURGEON && to !== "ward" && from === agentNameOf(senderOf(envelope));
  if (!isFirst) refuse("its first message came along another edge");
  return { envelope, origin: { edge: { from, to }, seal }, doubt: null };
}

function proveUnsent(
  refuse: Refuse,
  unsent: { readonly record: CaseAdmission; readonly envelope: Envelope; readonly edge: KeyEdge },
  { keyring, clean }: ProveMessageOptions,
): Pick<ProvenMessage, "envelope" | "doubt"> {
  const { record, envelope: child, edge } = unsent;
  const { parent: sealed } = record;
  if (sealed === undefined) {
    const doubt =
      "It does not bring the message that its sender was handling, so that only a person can send it on.";
    return { envelope: asOfAgent(child), doubt };
  }
  const parent = believing(refuse, () =>
    open({ message: sealed.message, queue: edge.from, jobId: child.meta.parent_id ?? "", keyring }),
  );
  const made = {
    child,
    parent: parent.envelope,
    parentDigest: parent.digest,
    index: sealed.index,
    clean: clean?.(edge) ?? [],
  };
  const problem = findForeignParent(made);
  if (problem !== null) refuse(problem);
  return { envelope: deriveChild(made), doubt: null };
}

type Refuse = (problem: string) => never;

function believing<Value>(refuse: Refuse, verify: () => Value): Value {
  try {
    return verify();
  } catch (error) {
    if (!(error instanceof UntrustedMessageError)) throw error;
    return refuse(`its message's own seal does not hold (${error.code})`);
  }
}

/**
 * The message as its sender stored it. Where its text is kept once, in `bytes`, it is put back; releases up to 0.1 kept
 * no packed text either, and packing gives the same again.
 */
function storedMessageOf(record: CaseAdmission & { readonly bytes: string }): unknown {
  const stored = parse(record.stored);
  if (typeof stored !== "object" || stored === null) return stored;
  const kept = Object.fromEntries(Object.entries(stored));
  if (typeof kept["sealed"] === "string") return kept;
  const isPacked = kept["encoding"] === "gzip";
  return { ...kept, sealed: isPacked ? gzipSync(record.bytes).toString("base64") : record.bytes };
}

/** JSON text of the job's data; of a stranded one, releases up to 0.1 wrote the JSON text of its JSON text. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return null;
  }
}
