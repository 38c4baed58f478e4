import type { Logger } from "pino";
import { toStrictSchema } from "#shared/model";
import type { Agent } from "./define-agent.ts";

/**
 * Warns of every model answer whose schema no endpoint can enforce in strict mode, with the place: it is sent as a
 * hint, and the contract checks the answer as ever. Skips XML answers.
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
