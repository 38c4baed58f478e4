import { decide } from "#shared/ward/decisions";
import { checkRedirect } from "../../ward/check-redirect.ts";
import type { Handler } from "../operation.ts";

/** Sends a message to another agent that takes its contract. */
export const redirectCase: Handler<"redirectCase"> = async ({
  console,
  params,
  body: { why, agent, version },
  caller,
}) => {
  const { case_id } = params;
  await checkRedirect(console, { caseId: case_id, agent });
  const seen = version === undefined ? {} : { version };
  const { name: by, person } = caller;
  return decide(console, { case_id, decision: "redirect", by, person, why, to: agent, ...seen });
};
