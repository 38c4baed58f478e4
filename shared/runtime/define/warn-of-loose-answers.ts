import type { Logger } from "pino";
import { toStrictSchema } from "#shared/model";
import type { Agent } from "./define-agent.ts";

/**
 * Warns of every model answer of these agents whose schema no endpoint can be asked to enforce, with the place in the
 * contract that strict mode has no words for. Such an answer is asked for with the schema as a hint; the contract
 * checks it as ever. Answers in XML are asked for without a schema and are left out.
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
