import type { Issue } from "#shared/errors";
import { escapeStep, isContainer } from "#shared/json";
import { INJECTION_AT_DEFAULT, scoreInjection, toPlainText } from "./injection/score-injection.ts";
import { labelsAt } from "./taint.ts";
import type { Taint } from "./taint.ts";

/** Maximum number of texts scored one by one; the rest is scored as one. */
const TEXTS_MAX = 2000;
const DEPTH_MAX = 64;

/** Scores the tainted texts of a payload, names included; one issue a text, without its words. `at` is 0.6. */
export function lookForInjection(
  payload: unknown,
  { taint, at = INJECTION_AT_DEFAULT }: { readonly taint: Taint; readonly at?: number | undefined },
): Issue[] {
  const own = [...textsIn(payload)].filter(({ path }) => labelsAt(taint, path).length > 0);
  const rest = own.slice(TEXTS_MAX);
  const looked = own.slice(0, TEXTS_MAX);
  if (rest.length > 0) looked.push({ path: "", text: rest.map(({ text }) => text).join("\n") });
  return looked.flatMap(({ path, text }) => {
    const { score, reasons } = scoreInjection(text);
    if (score < at) return [];
    return [{ path, code: "injection_suspected", message: `scores ${score} for ${reasons.join(", ")}` }];
  });
}

interface Found {
  readonly path: string;
  readonly text: string;
}

function* textsIn(value: unknown, path = "", depth = 0): Generator<Found> {
  if (typeof value === "string") yield { path, text: value };
  if (!isContainer(value) || depth > DEPTH_MAX) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${path}/${escapeStep(key)}`;
    // Long names count as text, because an open contract lets the sender choose them.
    if (key.length > NAME_CHARS) yield { path: at, text: key };
    yield* textsIn(inner, at, depth + 1);
  }
}

const NAME_CHARS = 24;

/** A run of words that honest answers do not share with their instructions. */
const WORDS_IN_A_ROW = 12;

/** Returns an issue for each text that repeats 12 words of the instructions (prompt leak), folded. Linear. */
export function findRepeatedInstructions(value: unknown, instructions: string): Issue[] {
  const stretches = new Set(stretchesOf(instructions));
  if (stretches.size === 0) return [];
  return [...textsIn(value)]
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
