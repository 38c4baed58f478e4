import type { ContractOutput } from "#shared/contract";
import type { SupportEmail } from "../contracts.ts";
import { splitEmail } from "../reading/split-email.ts";
import type { TriageInput } from "./answer.ts";

/** Returns an e-mail as the router is shown it. */
export function readEmail(email: ContractOutput<typeof SupportEmail>): TriageInput {
  const { own, quoted } = splitEmail(email.body);
  return {
    from: email.from,
    subject: email.subject,
    text: own,
    quoted,
    order_hint: email.order_hint ?? null,
    attachments: email.attachments.map((file) => file.name),
  };
}
