/** Characters of a message that are compared. */
const MESSAGE_CHARS_MAX = 4096;

/** Returns an error message without ids, numbers, addresses and quoted text, for comparing it with others. */
export function withoutParticulars(message: string): string {
  return message
    .slice(0, MESSAGE_CHARS_MAX)
    .toLowerCase()
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "<text>")
    .replaceAll(/\S+@\S+\.\S+/g, "<address>")
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\b(?=[a-z0-9_-]*\d)[a-z0-9_-]{6,}\b/g, "<id>")
    .replaceAll(/\d+(?:[.,]\d+)*/g, "<n>")
    .replaceAll(/\s+/g, " ")
    .trim();
}
