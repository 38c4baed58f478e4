import { checkPayload } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { Agent, Team } from "#shared/runtime";

/** A payload, what it claims to be, and who is to take it. */
export interface PayloadForAgent {
  readonly team: Team;
  readonly agent: Agent;
  readonly contract: string;
  readonly payload: unknown;
  /** JSON pointer of the payload in the request. */
  readonly payloadAt: string;
}

/**
 * Holds a payload against its agent's contract as the agent itself will: lifted to its version first.
 *
 * @throws {SutureError} A class of the contract room: unknown contract, newer version, form, meaning.
 * @throws {RequestInvalidError} An upcaster could not read the payload.
 */
export function checkForAgent({ team, agent, contract, payload, payloadAt }: PayloadForAgent): void {
  checkPayload(agent.accepts, lift({ team, agent, contract, payload, payloadAt }), payloadAt);
}

function lift({ team, agent, contract, payload, payloadAt }: PayloadForAgent): unknown {
  try {
    return team.contracts.upcast(contract, agent.accepts, payload);
  } catch (error) {
    if (error instanceof SutureError) {
      // The reader of the answer knows the request, not the envelope.
      const issues = error.issues.map((issue) => ({
        ...issue,
        path: issue.path.replace("/meta/contract", "/contract"),
      }));
      throw new RequestInvalidError(issues);
    }
    // An upcaster is given whatever was sent, and may fail on what is not the older version's form.
    throw new RequestInvalidError([
      { path: payloadAt, code: "not_upcast", message: `is not of the form of ${contract}` },
    ]);
  }
}
