import { BudgetExceededError } from "#shared/envelope/limits";
import type { Logger } from "#shared/telemetry";

/** A recorded answer, as far as it may have been cut off. */
export interface LimitedAnswer {
  readonly model: string;
  /** Set where the model came to the end of its tokens. */
  readonly isCutOff?: boolean;
  /** Tokens to ask for next. Absent: there is no more room. */
  readonly higherLimit?: number;
}

interface HigherLimit<Answer extends LimitedAnswer> {
  readonly step: string;
  readonly logger: Logger;
  /** Returns true for an answer that can be used although it was called cut off. */
  readonly isWhole: (answer: Answer) => boolean;
  /** Asks the same question again, as a recorded step of its own. @throws {BudgetExceededError} Nothing was sent. */
  readonly ask: (room: { readonly tokens: number; readonly nth: number }) => Promise<Answer>;
}

/**
 * Asks the same question again, with twice the room each time, for as long as its answer is cut off, there is more
 * room, and the run's budget covers it. Returns the last answer.
 */
export async function withHigherLimit<Answer extends LimitedAnswer>(
  first: Answer,
  { step, logger, isWhole, ask }: HigherLimit<Answer>,
): Promise<Answer> {
  let answer = first;
  for (let nth = 1; answer.higherLimit !== undefined && !isWhole(answer); nth += 1) {
    const { model, higherLimit: tokens } = answer;
    const about = { code: "MODEL_ANSWER_CUT_OFF", step, model, room: tokens };
    try {
      answer = await ask({ tokens, nth });
    } catch (error) {
      if (!(error instanceof BudgetExceededError)) throw error;
      logger.warn(about, "an answer was cut off, and the run's budget does not cover more room");
      return answer;
    }
    logger.warn(about, "an answer was cut off: it was asked for again with more room");
  }
  return answer;
}

/** Steps of first aid that close what a text leaves open. */
const CLOSES = /^(?:cut|missing_closer|missing_end_quote|closed_early)/;

/** Cost of reading JSON out of a JSON string; more where that had to be mended, too. */
const NESTED_COST = 3;

/** Returns true where first aid had to close what a text left open, or may have had to in a text within it. */
export function wasLeftOpen(notes: readonly { readonly step: string; readonly cost: number }[]): boolean {
  return notes.some(({ step, cost }) => CLOSES.test(step) || (step === "nested_json" && cost > NESTED_COST));
}
