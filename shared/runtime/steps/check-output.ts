import { checkPayload } from "#shared/contract";
import { checkBudget } from "#shared/envelope";
import { redactValue } from "#shared/guard";
import { toFailure } from "#shared/failure";
import type { Failure } from "#shared/errors";
import type { HandoffDraft } from "../define-agent.ts";
import type { Delivery } from "../delivery.ts";
import { divert } from "../divert.ts";
import { ResultTooLargeError, UndeclaredTransitionError } from "../errors.ts";
import { fail } from "./fail.ts";

/**
 * Holds what the agent made against the team's graph, the receivers' contracts and the budget. A bad payload condemns
 * its handoff, not the agent's work: that is done and is not run again.
 */
export function checkOutput(delivery: Delivery): Delivery {
  const { outcome, place, letter } = delivery;
  if (outcome === null || letter === null) return delivery;
  try {
    if (outcome.kind === "completed") {
      const result = withoutSensitive(delivery, outcome.result);
      const bytes = Buffer.byteLength(JSON.stringify(result ?? null));
      if (bytes > place.limits.resultBytesMax) {
        throw new ResultTooLargeError(place.agent.id, { bytes, bytesMax: place.limits.resultBytesMax });
      }
      return result === outcome.result ? delivery : { ...delivery, outcome: { kind: "completed", result } };
    }
    if (outcome.kind !== "handed_off") return delivery;
    for (const { draft } of outcome.handoffs) {
      if (place.agent.to[draft.to] === undefined)
        throw new UndeclaredTransitionError(place.agent.id, draft.to);
    }
    const { billing } = letter.envelope;
    checkBudget({
      ...billing,
      cost_so_far: billing.cost_so_far + delivery.spent.cost,
      tokens_consumed: billing.tokens_consumed + delivery.spent.tokens,
    });
    const drafts = outcome.handoffs.map(({ draft }) => divert(delivery, draft));
    const handoffs = drafts.map((draft) => ({ draft, failure: findFault(delivery, draft) }));
    return { ...delivery, outcome: { kind: "handed_off", handoffs } };
  } catch (error) {
    return fail(delivery, error, { direction: "out", contract: place.agent.accepts });
  }
}

/** The result as it leaves the team, and as it is kept. */
function withoutSensitive({ place, hold }: Delivery, result: unknown): unknown {
  const { redacts } = place.team.options;
  if (redacts === undefined) return result;
  const { value, found } = redactValue(result, redacts);
  if (Object.keys(found).length > 0)
    place.logger.info(
      { message_id: hold.messageId, redacted: found },
      "sensitive data was taken out of a result",
    );
  return value;
}

function findFault(delivery: Delivery, draft: HandoffDraft): Failure | null {
  try {
    checkPayload(draft.contract, draft.payload);
    return null;
  } catch (error) {
    return toFailure(error, {
      agent: delivery.place.agent.id,
      contract: draft.contract.id,
      direction: "out",
      promptVersion: delivery.place.agent.options.promptVersion ?? "1",
    });
  }
}
