import type { HistoryMessage } from "#shared/envelope";
import { splitText } from "./tokens.ts";

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

/** Groups turns into portions of at most so many tokens, in order. Splits a larger turn at sentences. */
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

function cutTurn(
  turn: Turn,
  { tokensMax, count }: { readonly tokensMax: number; readonly count: (text: string) => number },
): Turn[] {
  if (count(JSON.stringify(turn)) <= tokensMax) return [turn];
  // A token has at least one character.
  const ranges = splitText(turn.content, Math.max(16, Math.floor(tokensMax)));
  return ranges.map(({ from, to }) => ({ role: turn.role, content: turn.content.slice(from, to) }));
}
