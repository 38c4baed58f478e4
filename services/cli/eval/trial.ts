import { stepsOf } from "#shared/json";
import type { Team, Variant } from "#shared/runtime";
import type { ExpectedValue, LabelledCase } from "./cases.ts";

/** One of the ways that are measured: the team itself, or a variant of it. */
export interface Contender {
  readonly name: string;
  readonly description: string;
  readonly team: Team;
  /** What it is judged by; null: by everything that a case expects. */
  readonly judged: readonly string[] | null;
  /** The contender that it is compared with; null for the team itself. */
  readonly against: string | null;
}

/** The name of the team itself among its variants. */
export const AS_IT_IS = "as-it-is";

export function contendersOf(team: Team, variants: readonly Variant[]): Contender[] {
  const description = team.options.description ?? "The team as it is.";
  return [
    { name: AS_IT_IS, description, team, judged: null, against: null },
    ...variants.map(({ judged = null, against = AS_IT_IS, ...variant }) => ({ ...variant, judged, against })),
  ];
}

/** One case, done once by one contender. */
export interface Trial {
  readonly contender: Contender;
  readonly case: LabelledCase;
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

/** How a trial came out. `unsure`: it says that it cannot tell, as the case says. `failed`: there is no result. */
export type Verdict = "right" | "unsure" | "wrong" | "failed";

type Judges = readonly Pick<Contender, "judged">[];

/** Returns the expected values of a case that all these contenders are judged by. */
export function expectedOf({ expect }: LabelledCase, contenders: Judges): [string, ExpectedValue][] {
  const isWithin = (pointer: string, root: string): boolean =>
    pointer === root || pointer.startsWith(`${root}/`);
  return [...expect].filter(([pointer]) =>
    contenders.every(({ judged }) => judged === null || judged.some((root) => isWithin(pointer, root))),
  );
}

/** The value at a JSON pointer (RFC 6901); undefined where there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  );
}

/** Whether a result holds what is expected at a place. Numbers may differ by rounding; null expects nothing there. */
export function holds(result: unknown, pointer: string, expected: ExpectedValue): boolean {
  const given = readPointer(result, pointer);
  if (expected === null) return given === undefined || given === null;
  if (typeof expected === "number" && typeof given === "number")
    return Math.abs(given - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
  return given === expected;
}

/** Whether a trial is right in all that these contenders are judged by. What did not complete is right in nothing. */
export function isRight(trial: Trial, judges: Judges = [trial.contender]): boolean {
  if (trial.failure !== null) return false;
  return expectedOf(trial.case, judges).every(([pointer, value]) => holds(trial.result, pointer, value));
}

export function verdictOf(trial: Trial): Verdict {
  if (trial.failure !== null) return "failed";
  if (isRight(trial)) return "right";
  const unsure = [...trial.case.unsure];
  const isHonest =
    unsure.length > 0 && unsure.every(([pointer, value]) => holds(trial.result, pointer, value));
  return isHonest ? "unsure" : "wrong";
}
