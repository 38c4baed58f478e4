import type { HistoryMessage } from "#shared/envelope";

/** A turn as a summariser sees it. */
export interface Turn {
  readonly role: HistoryMessage["role"];
  readonly content: string;
}

export function toTurns(history: readonly HistoryMessage[]): Turn[] {
  return history.map(({ role, content }) => ({ role, content }));
}

export function textOf(turns: readonly Turn[]): string {
  return turns.map(({ content }) => content).join("\n");
}

/**
 * Groups turns into portions of at most so many tokens, in order. Splits a larger turn at sentences, or between
 * characters.
 */
export function portionsOf(
  turns: readonly Turn[],
  { tokensMax, count }: { readonly tokensMax: number; readonly count: (text: string) => number },
): Turn[][] {
  const portions: Turn[][] = [];
  let open: Turn[] = [];
  let used = 0;
  for (const turn of turns.flatMap((one) => cutTurn(one, { tokensMax, count }))) {
    const tokens = count(JSON.stringify(turn)) + 1;
    if (open.length > 0 && used + tokens > tokensMax) {
      portions.push(open);
      open = [];
      used = 0;
    }
    open.push(turn);
    used += tokens;
  }
  return open.length === 0 ? portions : [...portions, open];
}

/** Lower bound of characters in a token. */
const CHARS_PER_TOKEN_MIN = 1;

function cutTurn(
  turn: Turn,
  { tokensMax, count }: { readonly tokensMax: number; readonly count: (text: string) => number },
): Turn[] {
  if (count(JSON.stringify(turn)) <= tokensMax) return [turn];
  const charsMax = Math.max(16, Math.floor(tokensMax * CHARS_PER_TOKEN_MIN));
  const pieces: Turn[] = [];
  for (let at = 0; at < turn.content.length;) {
    const end = endOfPiece(turn.content, { from: at, charsMax });
    pieces.push({ role: turn.role, content: turn.content.slice(at, end) });
    at = end;
  }
  return pieces;
}

/** Splits at the last space in the second half of the piece; never inside a character. */
function endOfPiece(
  text: string,
  { from, charsMax }: { readonly from: number; readonly charsMax: number },
): number {
  const end = from + charsMax;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  if (space > from + charsMax / 2) return space + 1;
  const isInsidePair =
    /[\uDC00-\uDFFF]/.test(text.charAt(end)) && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isInsidePair ? end - 1 : end;
}
