import type { AnswerOf, ConsoleApi } from "#shared/api";
import { SENSITIVE_MASK } from "#shared/masking";
import { stepsOf } from "#shared/json";
import type { Evidence } from "#shared/repair";
import { nameOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { MASK, maskText } from "../masking/mask-secrets.ts";
import type { MessageMask } from "../masking/mask-sensitive.ts";

/** From which pieces of the original first aid read the values that it changed, and what it did not use. */
type ShownEvidence = NonNullable<NonNullable<AnswerOf<ConsoleApi["showCase"]>["repair"]>["evidence"]>;

type Span = Pick<Evidence["unused"][number], "start" | "end">;

/** Maximum length of a shown piece, in UTF-16 units. */
const PIECE_CHARS_MAX = 200;
/** Length of the text around a piece that is searched for sensitive values which the piece would cut. */
const AROUND_CHARS = 1_000;

/**
 * Cuts the pieces out of the original's text. Masks secrets, pieces of sensitive fields and, where any field is marked,
 * all that is in no value. @param of.value - The repaired value, masked.
 */
export function showEvidence(
  { values, unused }: Evidence,
  of: { readonly text: string; readonly value: JsonValue; readonly mask: MessageMask },
): ShownEvidence {
  return {
    values: values.map(({ path, rules, spans: [span] }) => {
      if (span === undefined) return { path, rules, piece: null };
      const isMarked = valueAt(of.value, stepsOf(path)) === SENSITIVE_MASK;
      const piece = isMarked ? SENSITIVE_MASK : maskAround(span, of);
      return { path, rules, piece: shown(piece, nameOf(stepsOf(path))) };
    }),
    unused: unused.map(({ name, reason, start, end }) => ({
      name: name === undefined ? null : shown(of.mask.unread(name), ""),
      reason,
      piece: shown(of.mask.unread(of.text.slice(start, end)), name ?? ""),
    })),
  };
}

/** Masks sensitive values in a piece, and the whole piece where it would cut such a value. */
function maskAround(
  { start, end }: Span,
  { text, mask }: { readonly text: string; readonly mask: MessageMask },
): string {
  const parts = [
    text.slice(Math.max(0, start - AROUND_CHARS), start),
    text.slice(start, end),
    text.slice(end, end + AROUND_CHARS),
  ].map((part) => [part, mask.elsewhere(part)] as const);
  const whole = mask.elsewhere(parts.map(([part]) => part).join(""));
  return whole === parts.map(([, masked]) => masked).join("")
    ? mask.text(text.slice(start, end))
    : SENSITIVE_MASK;
}

/** Masks a secret, which may be known by its name alone, then bounds the piece. */
function shown(piece: string, name: string): string {
  const line = `${name}: ${piece}`;
  if (maskText(line) !== line) return MASK;
  return piece.length > PIECE_CHARS_MAX ? `${piece.slice(0, PIECE_CHARS_MAX)}…` : piece;
}
