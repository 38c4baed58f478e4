/**
 * Characters that a terminal acts on, or that are not seen or turn the text around them about: controls, formats such
 * as those that set the writing direction, halves of a pair, line separators, and letters without ink. Line breaks and
 * tabs are left alone.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;

/** Returns the text with each hidden character written out, as `⟨U+202E⟩`: a name must not look like another. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (one) => `⟨U+${hex(one.codePointAt(0) ?? 0).toUpperCase()}⟩`);
}

/** Returns JSON text with hidden characters escaped: programs read the same value. */
export function escapeHidden(json: string): string {
  return json.replaceAll(HIDDEN, (one) =>
    Array.from({ length: one.length }, (_, i) => `\\u${hex(one.charCodeAt(i))}`).join(""),
  );
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}
