import type { Issue } from "#shared/errors";
import { escapeStep } from "#shared/json";
import { INJECTION_AT_DEFAULT, scoreInjection } from "./injection/score-injection.ts";
import { labelsAt } from "./taint.ts";
import type { Taint } from "./taint.ts";

/** Maximum number of texts scored one by one; the rest is scored as one. */
const TEXTS_MAX = 2000;
const DEPTH_MAX = 64;

/**
 * Scores the tainted texts of a payload for prompt injection, member names included.
 * @param where.taint - Labels; text without a label is not scored.
 * @param where.at - Threshold. Default 0.6.
 * @returns One issue a text, with reasons and without its words.
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
    // Long names count as text, because an open contract lets the sender choose them.
    if (key.length > NAME_CHARS) at.texts.push({ path, text: key });
    collect(inner, { path, depth: at.depth + 1, texts: at.texts });
  }
}

/** Longer than usual member names. */
const NAME_CHARS = 24;
