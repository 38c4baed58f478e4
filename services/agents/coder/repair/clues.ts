import type { FailingTest } from "../trial/report.ts";
import { readSymptoms } from "./symptoms.ts";
import type { Symptom } from "./symptoms.ts";

/** What is known of a failure, for the moves. */
export interface Clues {
  readonly symptoms: ReadonlySet<Symptom>;
  readonly failing: readonly FailingTest[];
  /** Names of functions, exports and files of the whole project. */
  readonly projectNames: ReadonlySet<string>;
  /** Names of functions that give a promise. */
  readonly asyncNames: ReadonlySet<string>;
  /** Paths of the project's files. */
  readonly paths: readonly string[];
}

/** 1 where nothing of it shows, more for every symptom that does. */
export function rate(clues: Clues, boosts: Readonly<Partial<Record<Symptom, number>>>, base = 1): number {
  const shown = Object.entries(boosts).filter(([symptom]) => clues.symptoms.has(symptom as Symptom));
  return shown.reduce((sum, [, boost]) => sum + boost, base);
}

export function readClues(
  failing: readonly FailingTest[],
  project: Pick<Clues, "projectNames" | "asyncNames" | "paths">,
): Clues {
  return { symptoms: readSymptoms(failing), failing, ...project };
}
