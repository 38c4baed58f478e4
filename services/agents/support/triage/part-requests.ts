import { asksForSomething } from "../reading/asks.ts";
import { splitRequests } from "../reading/split-requests.ts";
import type { Decision } from "./answer.ts";

/** Most tickets for pieces that the router passed over; what goes beyond shares the last one. */
const UNPLACED_MAX = 8;

/** One request of an e-mail, with the customer's words that belong to it. */
export interface RequestPart {
  readonly text: string;
  /** Null: the router left these words without an answer. */
  readonly decision: Decision | null;
}

/**
 * Parts an e-mail by the requests that the router found. Each request has the words from its quotation to the next
 * one's, so that nothing of the text is dropped. A piece of the text that by its form is a request of its own and is
 * quoted by none comes back without a decision: a second request is never lost because a model passed over it.
 */
export function partRequests(decisions: readonly Decision[], text: string): RequestPart[] {
  const [first, ...more] = decisions;
  if (first === undefined) return [{ text, decision: null }];
  const unplaced = listUnplaced(decisions, text);
  if (more.length === 0) return [{ text, decision: first }, ...unplaced];
  const begins = decisions.map((decision) => findQuote(text, decision.quote));
  // A quotation that the text does not hold marks no place: that request is read with the whole text.
  const known = [...new Set(begins.filter((at) => at >= 0))].toSorted((a, b) => a - b);
  const parts = decisions.map((decision, index) => {
    const begin = begins[index] ?? -1;
    if (begin < 0) return { text, decision };
    const next = known.find((at) => at > begin) ?? text.length;
    return { text: text.slice(begin === known[0] ? 0 : begin, next).trim(), decision };
  });
  return [...parts, ...unplaced];
}

function listUnplaced(decisions: readonly Decision[], text: string): RequestPart[] {
  const pieces = splitRequests(text);
  if (pieces.length < 2) return [];
  const quotes = decisions.map(({ quote }) => squeeze(quote));
  const left = pieces
    .filter((piece) => asksForSomething(piece))
    .filter((piece) => !quotes.some((quote) => overlaps(squeeze(piece), quote)));
  const rest = left.slice(UNPLACED_MAX - 1);
  const apart = rest.length > 1 ? [...left.slice(0, UNPLACED_MAX - 1), rest.join("\n")] : left;
  return apart.map((piece) => ({ text: piece, decision: null }));
}

function overlaps(piece: string, quote: string): boolean {
  return quote !== "" && (piece.includes(quote) || quote.includes(piece));
}

/** Returns where a quotation begins, whatever its white space; -1 if the text does not hold it. */
function findQuote(text: string, quote: string): number {
  const words = quote.trim().split(/\s+/);
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return text.search(new RegExp(escaped.join("\\s+"), "iu"));
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}
