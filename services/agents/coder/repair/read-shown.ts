/** Stands for what cannot be read back. */
export const UNREADABLE = Symbol("unreadable");

/**
 * Reads a value back from how Node prints it: numbers, texts, flags, nothing, lists and plain records. Everything
 * else is UNREADABLE. Never runs what it reads.
 */
export function readShown(shown: string): unknown {
  const text = shown.trim();
  if (text === "undefined") return undefined;
  if (text === "NaN") return Number.NaN;
  if (/^-?\d[\d.]*(?:e[+-]?\d+)?n?$/.test(text)) return Number(text.replace(/n$/, ""));
  try {
    return JSON.parse(toJson(text));
  } catch {
    return UNREADABLE;
  }
}

const PIECE = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*|[^'"`A-Za-z_$]+/g;

/** Node's way to print plain data, turned into JSON: other quotes, bare keys, words for nothing. */
function toJson(text: string): string {
  const pieces = text.match(PIECE) ?? [];
  return pieces
    .map((piece, index) => {
      if (/^['"`]/.test(piece)) return JSON.stringify(piece.slice(1, -1).replaceAll(/\\(['"`\\])/g, "$1"));
      if (!/^[A-Za-z_$]/.test(piece)) return piece;
      if ((pieces[index + 1] ?? "").trimStart().startsWith(":")) return JSON.stringify(piece);
      return piece === "undefined" || piece === "NaN" ? "null" : piece;
    })
    .join("");
}
