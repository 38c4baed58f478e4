import type { Issue } from "#shared/errors";
import { escapeStep } from "#shared/json";
import { toPlainText } from "./injection/plain-text.ts";

/** A run of words that honest answers do not share with their instructions. */
const WORDS_IN_A_ROW = 12;

/**
 * Returns an issue for each text that repeats 12 or more consecutive words of the instructions (prompt leak). Folds
 * spelling, hidden characters and lookalike letters; misses translations, paraphrases and scripts without spaces.
 * Linear.
 */
export function findRepeatedInstructions(value: unknown, instructions: string): Issue[] {
  const stretches = new Set(stretchesOf(instructions));
  if (stretches.size === 0) return [];
  return [...textsIn(value, "")]
    .filter(({ text }) => stretchesOf(text).some((stretch) => stretches.has(stretch)))
    .map(({ path }) => ({
      path,
      code: "instructions_repeated",
      message: "it repeats the instructions: leave them out and answer in words of your own",
    }));
}

function stretchesOf(text: string): string[] {
  const words = toPlainText(text).text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const count = Math.max(0, words.length - WORDS_IN_A_ROW + 1);
  return Array.from({ length: count }, (_, at) => words.slice(at, at + WORDS_IN_A_ROW).join(" "));
}

function* textsIn(value: unknown, path: string): Generator<{ readonly path: string; readonly text: string }> {
  if (typeof value === "string") yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, `${path}/${escapeStep(key)}`);
}
