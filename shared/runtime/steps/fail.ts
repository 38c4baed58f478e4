import { ApprovalNeededError } from "#shared/context";
import type { Contract } from "#shared/contract";
import { toFailure, toReadable } from "#shared/failure";
import { SutureError } from "#shared/errors";
import type { Failure } from "#shared/errors";
import type { CaseSubject } from "#shared/ward";
import type { Delivery } from "../deliver/delivery.ts";
import { UnusableAnswerError } from "../errors.ts";

/** Ends the delivery with a thrown error, as a failure of the closed list. */
export function fail(
  delivery: Delivery,
  unread: unknown,
  scene: { readonly direction: Failure["direction"]; readonly contract: Contract | null },
): Delivery {
  const { agent } = delivery.place;
  const thrown = toReadable(unread);
  const isOpenAnswer = thrown instanceof UnusableAnswerError || thrown instanceof ApprovalNeededError;
  const answer = isOpenAnswer ? thrown : null;
  const contract = answer?.contract ?? scene.contract;
  const subject: CaseSubject =
    answer === null
      ? { kind: "payload" }
      : { kind: "answer", step: answer.step, text: answer.text, ...endingOf(answer) };
  return {
    ...delivery,
    outcome: {
      kind: "failed",
      contract,
      subject,
      retryAfterMs: retryAfterOf(thrown),
      failure: toFailure(thrown, {
        agent: agent.id,
        contract: contract?.id ?? null,
        direction: thrown instanceof UnusableAnswerError ? "out" : scene.direction,
        step: answer?.step ?? delivery.steps.of(unread),
        model: answer?.model ?? null,
        promptVersion: agent.options.promptVersion ?? "1",
      }),
    },
  };
}

function endingOf(answer: UnusableAnswerError | ApprovalNeededError): { ending?: "whole" | "cut" } {
  return answer instanceof UnusableAnswerError && answer.ending !== undefined
    ? { ending: answer.ending }
    : {};
}

/**
 * Returns the Retry-After of our own rate-limit errors. Other errors may have such a field as well, and it may throw.
 */
function retryAfterOf(thrown: unknown): number | null {
  if (!(thrown instanceof SutureError) || !("retryAfterMs" in thrown)) return null;
  try {
    const { retryAfterMs } = thrown;
    return typeof retryAfterMs === "number" ? retryAfterMs : null;
  } catch {
    return null;
  }
}
