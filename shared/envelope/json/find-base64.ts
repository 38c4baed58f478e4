/**
 * Minimum length of a wrapped base64 line, as in MIME (76) or PEM (64), after which a line break does not end the
 * run.
 */
const WRAPPED_LINE_CHARS_MIN = 60;

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const OTHER = 8;

/** Class of each character in the base64 or base64url alphabets; 0 outside of them. */
const KIND = new Uint8Array(128);
for (let code = 65; code <= 90; code += 1) KIND[code] = UPPER;
for (let code = 97; code <= 122; code += 1) KIND[code] = LOWER;
for (let code = 48; code <= 57; code += 1) KIND[code] = DIGIT;
for (const char of "+/-_") KIND[char.charCodeAt(0)] = OTHER;

const NEW_LINE = 10;
const RETURN = 13;

function kindOf(code: number): number {
  return code < 128 ? (KIND[code] ?? 0) : 0;
}

/** Returns true for characters within a run: those of the alphabet, and line breaks that may wrap it. */
function continues(code: number): boolean {
  return kindOf(code) !== 0 || code === NEW_LINE || code === RETURN;
}

/**
 * Returns true if a text contains a run of base64 longer than `charsMax`, alone, in a data URI, in prose or wrapped
 * in lines.
 *
 * A run counts only if it has upper case, lower case and digits, as encoded content of that length has; long rules,
 * repeated letters and hex digests do not. Linear, and faster than that on prose: a run that is too long covers one
 * of every `charsMax + 1` positions, so only the surroundings of these are read.
 */
export function holdsBase64(text: string, charsMax: number): boolean {
  let read = 0;
  for (let place = charsMax; place < text.length;) {
    if (!continues(text.charCodeAt(place))) {
      place += charsMax + 1;
      continue;
    }
    let start = place;
    while (start > read && continues(text.charCodeAt(start - 1))) start -= 1;
    const end = endOfRuns(text, start, charsMax);
    if (end === -1) return true;
    read = end;
    place = Math.max(end + charsMax, place + 1);
  }
  return false;
}

/** Returns the first position after `start` that no run can contain; -1 if a run is too long. */
function endOfRuns(text: string, start: number, charsMax: number): number {
  let run = 0;
  let line = 0;
  let kinds = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind !== 0) {
      run += 1;
      line += 1;
      kinds |= kind;
      if (run > charsMax && (kinds & 7) === 7) return -1;
    } else if (code === NEW_LINE && line >= WRAPPED_LINE_CHARS_MIN) {
      line = 0;
    } else if (code !== RETURN || line < WRAPPED_LINE_CHARS_MIN) {
      run = 0;
      line = 0;
      kinds = 0;
      if (code !== NEW_LINE && code !== RETURN) return at;
    }
  }
  return at;
}
