import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { Agent, Team } from "#shared/runtime";

/** A payload, what it claims to be, and who is to take it. */
interface PayloadForAgent {
  readonly team: Team;
  readonly agent: Agent;
  readonly contract: string;
  readonly payload: unknown;
}

/** JSON pointer of the payload in the request. */
const PAYLOAD_AT = "/data_payload";

/** Checks a payload, lifted to its agent's version. @throws {SutureError | RequestInvalidError} Contract; upcaster. */
export function checkForAgent(given: PayloadForAgent): void {
  checkPayload(given.agent.accepts, lift(given), PAYLOAD_AT);
}

function lift({ team, agent, contract, payload }: PayloadForAgent): unknown {
  try {
    return team.contracts.upcast(contract, agent.accepts, payload);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    // The reader of the answer knows the request, not the payload by itself, and not the envelope.
    const isOfPayload = error instanceof PayloadInvalidError || error instanceof PayloadContentError;
    const issues = error.issues.map((issue) => ({
      ...issue,
      path: isOfPayload ? PAYLOAD_AT + issue.path : issue.path.replace("/meta/contract", "/contract"),
    }));
    throw new RequestInvalidError(issues);
  }
}
