import { isApprovalStep } from "#shared/context";
import type { FailureClass } from "#shared/errors";
import { faultsOf } from "./repair-context.ts";
import type { RepairContext } from "./repair-context.ts";

/** `operate`: run the ladder; `resend`: send unchanged; `person`: quarantine, with the text for the person. */
export type Triage =
  | { readonly kind: "operate" | "resend" }
  | { readonly kind: "person"; readonly diagnosis: string };

/**
 * What follows from a failure class. `repair`: the ladder; `check`: the ladder, if the payload breaks its contract; a
 * diagnosis: quarantine, with this text for the person.
 */
const REMEDIES: Readonly<Record<FailureClass, "repair" | "check" | { readonly diagnosis: string }>> = {
  parse_error: "repair",
  validation_error: "repair",
  content_error: "repair",
  handler_error: "check",
  timeout: "check",
  transient: "check",
  unavailable: "check",
  rate_limited: "check",
  untrusted: { diagnosis: "It is not from who it says it is." },
  unsafe: { diagnosis: "The guard found something in it that must not be acted on." },
  expired: { diagnosis: "Its time was over. A release runs it now, with a fresh life." },
  hop_limit: { diagnosis: "It was handed on too often." },
  loop_detected: { diagnosis: "It came back to an agent that had it before." },
  budget_exceeded: { diagnosis: "Its run has spent its budget." },
  cancelled: { diagnosis: "Its run was cancelled." },
  crash_loop: { diagnosis: "Its worker died again and again." },
  unsupported_version: { diagnosis: "No worker knows its version." },
  rejected: { diagnosis: "No agent takes it." },
};

/** Decides whether a repair of the payload, a resend or a person can help. Pure. */
export function triage(context: RepairContext): Triage {
  const { subject } = context.message.record;
  if (subject.kind === "answer" && isApprovalStep(subject.step))
    return { kind: "person", diagnosis: "Only a person may say whether the call may be made." };
  const failureClass = context.message.record.failures[0]?.failure_class ?? "handler_error";
  const remedy = REMEDIES[failureClass];
  if (typeof remedy === "object") return { kind: "person", ...remedy };
  if (remedy === "repair" || faultsOf(context).length > 0) return { kind: "operate" };
  if (failureClass !== "handler_error") return { kind: "resend" };
  return {
    kind: "person",
    diagnosis:
      "The agent's code failed; the payload keeps its contract, so there is nothing to repair in it.",
  };
}
