/** Shortest line of base64 that is wrapped, as in MIME (76) or PEM (64): after it a line break does not end the run. */
const WRAPPED_LINE_CHARS_MIN = 60;

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const OTHER = 8;

/** Which part of the base64 or base64url alphabet a character belongs to; 0 outside of it. */
const KIND = new Uint8Array(128);
for (let code = 65; code <= 90; code += 1) KIND[code] = UPPER;
for (let code = 97; code <= 122; code += 1) KIND[code] = LOWER;
for (let code = 48; code <= 57; code += 1) KIND[code] = DIGIT;
for (const char of "+/-_") KIND[char.charCodeAt(0)] = OTHER;

/**
 * Whether a text holds a run of base64 longer than `charsMax`, alone, in a data URI, in prose or wrapped in lines.
 *
 * A run counts only if it has upper case, lower case and digits, as all encoded content of that length has: long
 * rules, repeated letters and hexadecimal digests are no blobs. Linear.
 */
export function holdsBase64(text: string, charsMax: number): boolean {
  let run = 0;
  let line = 0;
  let kinds = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (KIND[code] ?? 0) : 0;
    if (kind !== 0) {
      run += 1;
      line += 1;
      kinds |= kind;
      if (run > charsMax && (kinds & 7) === 7) return true;
    } else if (code === 10 && line >= WRAPPED_LINE_CHARS_MIN) {
      line = 0;
    } else if (code !== 13 || line < WRAPPED_LINE_CHARS_MIN) {
      run = 0;
      line = 0;
      kinds = 0;
    }
  }
  return false;
}
