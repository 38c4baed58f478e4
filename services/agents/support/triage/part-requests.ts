import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import type { Decision } from "./answer.ts";
import { listUnplaced } from "./list-unplaced.ts";

/** One request of an e-mail, with the customer's words that belong to it. */
export interface RequestPart {
  readonly text: string;
  /** Null: the router left these words without an answer. */
  readonly decision: Decision | null;
}

/**
 * Parts an e-mail by the requests that the router found. Each request has the words from its quotation to the next
 * one's, so that nothing of the text is dropped. What asks for something and belongs to none of them comes back without
 * a decision: a second request is never lost because a model passed over it.
 */
export function partRequests(decisions: readonly Decision[], text: string): RequestPart[] {
  const [first, ...more] = decisions;
  if (first === undefined) return [{ text, decision: null }];
  if (more.length === 0) return withUnplaced([{ text, decision: first }], text);
  const begins = decisions.map((decision) => findQuote(text, decision.quote));
  // A quotation that the text does not hold marks no place: that request is read with the whole text.
  const known = [...new Set(begins.filter((at) => at >= 0))].toSorted((a, b) => a - b);
  const parts = decisions.map((decision, index) => {
    const begin = begins[index] ?? -1;
    if (begin < 0) return { text, decision };
    const next = known.find((at) => at > begin) ?? text.length;
    return { text: text.slice(begin === known[0] ? 0 : begin, next).trim(), decision };
  });
  return withUnplaced(parts, text);
}

function withUnplaced(
  parts: readonly { readonly text: string; readonly decision: Decision }[],
  text: string,
): RequestPart[] {
  const left = listUnplaced(parts, dropOrdersToMachines(text).text);
  // One ticket for all of them: a person reads them together.
  return left.length === 0 ? [...parts] : [...parts, { text: left.join("\n"), decision: null }];
}

/** Returns where a quotation begins, whatever its white space; -1 if the text does not hold it. */
function findQuote(text: string, quote: string): number {
  const words = quote.trim().split(/\s+/);
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return text.search(new RegExp(escaped.join("\\s+"), "iu"));
}
