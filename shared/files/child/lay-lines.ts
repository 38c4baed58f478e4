/** A piece of text where it stands on a page, in points; y grows upwards. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pieces whose baselines differ by less than this share of their height are on one line. */
const LINE_SHARE = 0.5;
/** A gap wider than this share of the height parts two words; one wider than the other, two columns. */
const WORD_SHARE = 0.15;
const COLUMN_SHARE = 1.2;
const HEIGHT_DEFAULT = 10;

/** Lays pieces of text out as lines, top to bottom and left to right; columns are parted by two spaces or more. */
export function layLines(pieces: readonly PlacedText[]): string {
  const ordered = pieces.filter(({ text }) => text.trim() !== "").toSorted((a, b) => b.y - a.y || a.x - b.x);
  const lines: PlacedText[][] = [];
  for (const piece of ordered) {
    const line = lines.at(-1);
    const head = line?.[0];
    if (line !== undefined && head !== undefined && isOnLineOf(head, piece)) line.push(piece);
    else lines.push([piece]);
  }
  return lines.map((line) => layLine(line.toSorted((a, b) => a.x - b.x))).join("\n");
}

function isOnLineOf(head: PlacedText, piece: PlacedText): boolean {
  return Math.abs(head.y - piece.y) < (head.height || HEIGHT_DEFAULT) * LINE_SHARE;
}

function layLine(pieces: readonly PlacedText[]): string {
  let line = "";
  let end = 0;
  for (const { text, x, width, height } of pieces) {
    const gap = (x - end) / (height || HEIGHT_DEFAULT);
    if (line !== "") line += gap > COLUMN_SHARE ? "   " : gap > WORD_SHARE ? " " : "";
    line += text;
    end = x + width;
  }
  return line.trimEnd();
}
