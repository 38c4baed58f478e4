/**
 * Characters that show nothing or turn the text around them about: controls, formats such as those that set the writing
 * direction, halves of a pair, line separators, and letters without ink. Line breaks and tabs are what they look like.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;

/** Returns a text with what cannot be seen in it written out: a name must not look like another. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (one) => `⟨U+${hex(one.codePointAt(0) ?? 0).toUpperCase()}⟩`);
}

/** Returns JSON text with what cannot be seen escaped: the same value, for a field that people type in. */
export function escapeHidden(json: string): string {
  return json.replaceAll(HIDDEN, (one) =>
    Array.from({ length: one.length }, (_, i) => `\\u${hex(one.charCodeAt(i))}`).join(""),
  );
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}
