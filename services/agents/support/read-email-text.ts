/** A head line as mail programs show it; only these two are of use. */
const HEAD_LINE = /^(From|Subject):[ \t]*(.*)$/i;

/**
 * An e-mail that comes as one text: the lines `From:` and `Subject:` on top of it, in any order, then its body. What
 * the text does not say is left out: an address is never made up.
 */
export function readEmailText(text: string): { from?: string; subject?: string; body: string } {
  const lines = text.split(/\r\n?|\n/);
  const head: Record<string, string> = {};
  let at = 0;
  for (; at < lines.length; at += 1) {
    const [, name = "", value = ""] = HEAD_LINE.exec(lines[at] ?? "") ?? [];
    if (name === "") break;
    head[name.toLowerCase()] = value.trim();
  }
  return { ...head, body: lines.slice(at).join("\n").trim() };
}
