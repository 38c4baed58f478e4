import { outsideAddress, processConfig } from "#shared/config";
import { team } from "#shared/runtime";
import { createOutside } from "./outside/ports.ts";
import type { Outside } from "./outside/ports.ts";
import { createSmtpMail } from "./outside/smtp-mail.ts";
import { createEscalation } from "./escalation/agent.ts";
import { createFeatureRequests } from "./feature-requests/agent.ts";
import { createOperations } from "./operations/agent.ts";
import { readEmailText } from "./read-email.ts";
import { createRefunds } from "./refunds/agent.ts";
import { createReply } from "./reply/agent.ts";
import { createJointReply } from "./joint-reply/agent.ts";
import { createSales } from "./sales/agent.ts";
import { technical } from "./technical/agent.ts";
import { triage } from "./triage/agent.ts";
import { SupportResult } from "./result.ts";

/** The support team over the given outside systems. */
export function createSupportTeam(outside: Outside) {
  return team(
    "support",
    [
      triage,
      createRefunds(outside),
      technical,
      createFeatureRequests(outside),
      createSales(outside),
      createOperations(outside),
      createReply(outside),
      createEscalation(outside),
      createJointReply(outside),
    ],
    {
      description: "Reads customers' e-mails, does what they ask for where the rules allow it, and answers.",
      readText: readEmailText,
      result: SupportResult,
      redacts: ["card", "iban", "secret"],
    },
  );
}

const outside = createOutside({
  address: (system) => outsideAddress(processConfig(), system),
  mail: createSmtpMail(() => {
    const { isRehearsal, smtpUrl, mailFrom } = processConfig();
    return isRehearsal || smtpUrl === null || mailFrom === null ? null : { url: smtpUrl, from: mailFrom };
  }),
});

export default createSupportTeam(outside);
