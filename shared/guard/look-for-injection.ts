import type { Issue } from "#shared/errors";
import { escapeStep } from "#shared/json";
import { INJECTION_AT_DEFAULT, scoreInjection } from "./injection/score-injection.ts";
import { labelsAt } from "./taint.ts";
import type { Taint } from "./taint.ts";

/** Texts of one payload that are weighed; what comes after them is weighed as one. */
const TEXTS_MAX = 2000;
const DEPTH_MAX = 64;

/**
 * Looks through the texts of a payload that came from outside, names of members included.
 *
 * @param where.taint - Says what came from outside; what has no label is not looked at.
 * @param where.at - Score from which a text is named. Default 0.6.
 * @returns One issue for each, with its reasons and never its words.
 */
export function lookForInjection(
  payload: unknown,
  { taint, at = INJECTION_AT_DEFAULT }: { readonly taint: Taint; readonly at?: number | undefined },
): Issue[] {
  const texts: { path: string; text: string }[] = [];
  collect(payload, { path: "", depth: 0, texts });
  const own = texts.filter(({ path }) => labelsAt(taint, path).length > 0);
  const rest = own.slice(TEXTS_MAX);
  const looked = own.slice(0, TEXTS_MAX);
  if (rest.length > 0) looked.push({ path: "", text: rest.map(({ text }) => text).join("\n") });
  return looked.flatMap(({ path, text }) => {
    const { score, reasons } = scoreInjection(text);
    if (score < at) return [];
    return [{ path, code: "injection_suspected", message: `scores ${score} for ${reasons.join(", ")}` }];
  });
}

function collect(
  value: unknown,
  at: { readonly path: string; readonly depth: number; readonly texts: { path: string; text: string }[] },
): void {
  if (typeof value === "string") at.texts.push({ path: at.path, text: value });
  if (typeof value !== "object" || value === null || at.depth > DEPTH_MAX) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = `${at.path}/${escapeStep(key)}`;
    // A name is text too, where the contract lets anybody choose it.
    if (key.length > NAME_CHARS) at.texts.push({ path, text: key });
    collect(inner, { path, depth: at.depth + 1, texts: at.texts });
  }
}

/** Longer than the names of members that people give. */
const NAME_CHARS = 24;
