/** Parses the `name:value` lines of an `INFO` reply. */
export function parseInfo(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) found.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return found;
}
