import { derivedId, timestamp } from "#shared/clock";
import type { Envelope } from "#shared/envelope";
import type { CaseAdmission } from "../case.ts";

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
