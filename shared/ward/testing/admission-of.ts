import { derivedId, timestamp } from "#shared/clock";
import type { Envelope } from "#shared/envelope";
import type { Failure } from "#shared/errors";
import type { CaseAdmission } from "../case.ts";

/** A failure of the agent `desk`: a payload that breaks its contract. */
export const PAYLOAD_INVALID: Failure = {
  failure_class: "validation_error",
  code: "PAYLOAD_INVALID",
  message: "The payload does not satisfy desk.refund@1 at /seats.",
  remedy: "",
  severity: "recoverable",
  direction: "in",
  agent: "desk@1",
  contract: "desk.refund@1",
  issues: [{ path: "/seats", code: "invalid_type", message: "expected number" }],
  step: null,
  model: null,
  prompt_version: null,
  at: timestamp(),
};

/** Returns the admission of a message of the gateway's that died at the agent `desk`. */
export function admissionOf(envelope: Envelope, more: Partial<CaseAdmission> = {}): CaseAdmission {
  const { message_id, run_id, contract } = envelope.meta;
  return {
    case_id: derivedId("case", message_id),
    message_id,
    run_id,
    team: "help",
    agent: "desk",
    contract,
    schema: { type: "object" },
    disposition: "operate",
    subject: { kind: "payload" },
    bytes: JSON.stringify(envelope),
    stored: "{}",
    failures: [],
    producer: { agent: "gateway@1", contract, model: null, prompt_version: null },
    time_left_ms: 1000,
    admitted_by: "desk@1",
    at: timestamp(),
    ...more,
  };
}
