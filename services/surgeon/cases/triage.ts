import { isApprovalStep } from "#shared/context";
import type { FailureClass } from "#shared/errors";
import { faultsOf } from "./repair-context.ts";
import type { RepairContext } from "./repair-context.ts";

/** `operate`: run the ladder; `resend`: send unchanged; `person`: quarantine, with the text for the person. */
export type Triage =
  | { readonly kind: "operate" | "resend" }
  | { readonly kind: "person"; readonly diagnosis: string };

const DIAGNOSES: Readonly<Partial<Record<FailureClass, string>>> = {
  untrusted: "It is not from who it says it is.",
  unsafe: "The guard found something in it that must not be acted on.",
  expired: "Its time was over. A release runs it now, with a fresh life.",
  hop_limit: "It was handed on too often.",
  loop_detected: "It came back to an agent that had it before.",
  budget_exceeded: "Its run has spent its budget.",
  cancelled: "Its run was cancelled.",
  crash_loop: "Its worker died again and again.",
  unsupported_version: "No worker knows its version.",
  rejected: "No agent takes it.",
};

/** Failures that the payload may have caused: the case is repaired only if the payload breaks its contract. */
const PERHAPS_THE_PAYLOAD: readonly FailureClass[] = [
  "handler_error",
  "timeout",
  "transient",
  "unavailable",
  "rate_limited",
];

/** Decides whether a repair of the payload, a resend or a person can help. Pure. */
export function triage(context: RepairContext): Triage {
  const { subject } = context.message.record;
  if (subject.kind === "answer" && isApprovalStep(subject.step))
    return { kind: "person", diagnosis: "Only a person may say whether the call may be made." };
  const failureClass = context.message.record.failures[0]?.failure_class ?? "handler_error";
  const diagnosis = DIAGNOSES[failureClass];
  if (diagnosis !== undefined) return { kind: "person", diagnosis };
  if (!PERHAPS_THE_PAYLOAD.includes(failureClass)) return { kind: "operate" };
  if (faultsOf(context).length > 0) return { kind: "operate" };
  if (failureClass !== "handler_error") return { kind: "resend" };
  return {
    kind: "person",
    diagnosis:
      "The agent's code failed; the payload keeps its contract, so there is nothing to repair in it.",
  };
}
