import type { Logger } from "pino";
import { toStrictSchema } from "#shared/model";
import type { Agent } from "./define-agent.ts";

/**
 * Warns of every model answer of these agents whose schema no endpoint can enforce in strict mode (structured
 * outputs), with the place in the contract. The schema of such an answer is sent as a hint, and the contract checks
 * the answer as ever. Skips XML answers, which are requested without a schema.
 */
export function warnOfLooseAnswers(agents: readonly Agent[], logger: Logger): void {
  for (const agent of agents) {
    for (const contract of agent.options.answers ?? []) {
      if (contract.options.answersIn === "xml") continue;
      const [fault] = toStrictSchema(contract.jsonSchema).faults;
      if (fault === undefined) continue;
      logger.warn(
        { agent: agent.id, contract: contract.id, path: fault.path, problem: fault.problem },
        "a model's answer cannot be enforced by the endpoint: its schema is sent as a hint",
      );
    }
  }
}
