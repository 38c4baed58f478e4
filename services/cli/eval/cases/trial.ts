import type { Contender } from "./contender.ts";
import { expectedOf } from "./contender.ts";
import { readPointer } from "./read-pointer.ts";
import type { ExpectedValue, LabelledCase } from "./labelled-case.ts";

/** One case, done once by one contender. */
export interface Trial {
  readonly contender: Contender;
  readonly case: LabelledCase;
  readonly run_id: string;
  /** The run's state when it came to rest. */
  readonly status: string;
  /** Null where it did not complete. */
  readonly result: unknown;
  /** Why there is no result: the failure's class and code; null where there is one. */
  readonly failure: { readonly class: string; readonly code: string } | null;
  /** USD. */
  readonly cost: number;
  readonly tokens: number;
  /** Of models, failed ones and questions again included. */
  readonly calls: number;
  /** From acceptance to the end; null where it never ended. */
  readonly latencyMs: number | null;
}

/**
 * How one trial came out. `unsure`: it says that it cannot tell, as the case says such a result looks. `failed`: there
 * is no result.
 */
export type Verdict = "right" | "unsure" | "wrong" | "failed";

/** Whether a result holds what is expected at a place. Numbers may differ by rounding; null expects nothing there. */
export function holds(result: unknown, pointer: string, expected: ExpectedValue): boolean {
  const given = readPointer(result, pointer);
  if (expected === null) return given === undefined || given === null;
  if (typeof expected === "number" && typeof given === "number")
    return Math.abs(given - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
  return given === expected;
}

/** Whether a trial is right in all that these contenders are judged by. What did not complete is right in nothing. */
export function isRight(
  trial: Trial,
  judges: readonly Pick<Contender, "judged">[] = [trial.contender],
): boolean {
  if (trial.failure !== null) return false;
  return [...expectedOf(trial.case, judges)].every(([pointer, value]) => holds(trial.result, pointer, value));
}

export function verdictOf(trial: Trial): Verdict {
  if (trial.failure !== null) return "failed";
  if (isRight(trial)) return "right";
  const { unsure } = trial.case;
  const isHonest =
    unsure.size > 0 && [...unsure].every(([pointer, value]) => holds(trial.result, pointer, value));
  return isHonest ? "unsure" : "wrong";
}
