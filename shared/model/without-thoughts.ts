const OPENING = /^\s*<(think|thinking|thought|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/i;

/**
 * Takes off the thoughts that some servers leave at the head of an answer, between tags. A template may have written
 * the opening tag itself, so that the closing one stands alone; text that begins like JSON or XML has none.
 */
export function withoutThoughts(text: string): string {
  const closing = CLOSING.exec(text);
  if (closing === null) return text;
  const isOpened = OPENING.test(text);
  if (!isOpened && /^\s*[{["<`]/.test(text)) return text;
  return text.slice(closing.index + closing[0].length).trimStart();
}
