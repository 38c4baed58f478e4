import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
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
 * @throws {RequestInvalidError} An upcaster cannot lift the payload, at these places of the request.
 */
export function checkForAgent({ team, agent, contract, payload, payloadAt }: PayloadForAgent): void {
  checkPayload(agent.accepts, lift({ team, agent, contract, payload, payloadAt }), payloadAt);
}

function lift({ team, agent, contract, payload, payloadAt }: PayloadForAgent): unknown {
  try {
    return team.contracts.upcast(contract, agent.accepts, payload);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    // The reader of the answer knows the request, not the payload by itself, and not the envelope.
    const isOfPayload = error instanceof PayloadInvalidError || error instanceof PayloadContentError;
    const issues = error.issues.map((issue) => ({
      ...issue,
      path: isOfPayload ? payloadAt + issue.path : issue.path.replace("/meta/contract", "/contract"),
    }));
    throw new RequestInvalidError(issues);
  }
}
