import { asksForSomething, asksInWords } from "../reading/asks.ts";
import { detectLanguage } from "../reading/detect-language.ts";
import { foldText } from "../reading/fold-text.ts";
import { listMarkedOrders } from "../reading/marked-orders.ts";
import { isListed } from "../reading/split-requests.ts";
import { isSmallTalk, isSmallWord } from "../reading/small-talk.ts";
import { clausesOf } from "../reading/clauses.ts";
import { topicOf } from "../reading/topics.ts";
import type { Topic } from "../reading/topics.ts";
import { findNoDemand } from "../reading/asks-money-back.ts";
import { readOperationsKind } from "../reading/read-parameters.ts";
import type { Decision } from "./answer.ts";

/** A request that the router found, with the words that its agent will read. */
interface Placed {
  readonly decision: Decision;
  readonly text: string;
}

/**
 * Returns the pieces of an e-mail that ask for something and that no request answers, whatever a model said. One piece
 * belongs to each request: the one that it quotes. Another piece is placed where it is small talk, or where it is about
 * the same queue's matter and stands in the words that this queue reads. All others are left for a person. An
 * item of a list asks by its form; in a language that no list knows every piece does.
 */
export function listUnplaced(requests: readonly Placed[], text: string): string[] {
  // Advertising asks for much; and a person who gets the whole e-mail reads all of it.
  const [only, ...more] = requests;
  if (more.length === 0 && (only?.decision.route === "spam" || only?.decision.route === "escalation"))
    return [];
  const isUnlisted = detectLanguage(text) === "other";
  const asking = clausesOf(text).filter(
    (piece) => !isSmallTalk(piece) && (isUnlisted || isListed(piece) || asksForSomething(piece)),
  );
  const free = new Set(asking.keys());
  const whole = squeeze(text);
  const quotes = requests.map(({ decision }) => squeeze(decision.quote));
  const unquoted = asking.filter((piece) => !quotes.some((quote) => overlaps(squeeze(piece), quote)));
  for (const { decision } of requests) takeOwn(decision, { asking, unquoted, free, whole });
  return [...free]
    .toSorted((a, b) => a - b)
    .flatMap((index) => asking[index] ?? [])
    .filter((piece) => !requests.some((request) => holds(request, piece, isUnlisted)));
}

interface Pieces {
  /** The e-mail's words. */
  readonly whole: string;
  readonly asking: readonly string[];
  /** Those that no request quotes. */
  readonly unquoted: readonly string[];
  /** Indexes in `asking` that no request has taken. */
  readonly free: Set<number>;
}

/**
 * Takes the one piece that a request quotes. A quotation that is another queue's matter takes none where another piece
 * asks or is of the request's own queue; one that the e-mail does not hold takes the first piece left.
 */
function takeOwn({ quote, route }: Decision, { asking, unquoted, free, whole }: Pieces): void {
  const at = (index: number): string => asking[index] ?? "";
  const isQuoted = (index: number): boolean => overlaps(squeeze(at(index)), squeeze(quote));
  const isReal = whole.includes(squeeze(quote));
  const candidates = [...free].filter((index) => !isReal || isQuoted(index));
  const isElsewhere = isReal && unquoted.some((piece) => topicOf(piece) === route);
  const isAlone = !isReal || !unquoted.some((piece) => asksInWords(piece));
  const isFit = (index: number): boolean => isAlone || (!isElsewhere && topicOf(at(index)) === null);
  const own =
    candidates.find((index) => topicOf(at(index)) === route) ??
    candidates.find((index) => asksInWords(at(index)) && isFit(index)) ??
    candidates.find(isFit);
  if (own !== undefined) free.delete(own);
}

/** Returns true where the agent of a request reads a piece and it is about that agent's matter and order. */
function holds({ decision, text }: Placed, piece: string, isUnlisted: boolean): boolean {
  if (!squeeze(text).includes(squeeze(piece))) return false;
  if (decision.route === "escalation") return true;
  if (isListed(piece)) return false;
  const topic = topicOf(piece);
  // What is reported without being asked for describes the request that it stands beside.
  if (!isUnlisted && !asksInWords(piece)) return topic !== "technical" || decision.route === "technical";
  if (decision.route === "refunds") return isSameRefund(decision, piece, topic);
  if (decision.route !== topic) return topic === null && sharesWord(piece, decision.quote);
  return decision.route !== "operations" || decision.kind === readOperationsKind(foldText(piece));
}

function isSameRefund(
  { order_id, quote }: Extract<Decision, { route: "refunds" }>,
  piece: string,
  topic: Topic | null,
): boolean {
  const others = listMarkedOrders(piece).filter((id) => id.toUpperCase() !== order_id?.toUpperCase());
  if (order_id !== undefined && others.length > 0) return false;
  return topic === "refunds" || findNoDemand(piece) === null || (topic === null && sharesWord(piece, quote));
}

const STEM = 6;

/** Returns true where two texts share the beginning of a long word. */
function sharesWord(piece: string, quote: string): boolean {
  const stems = new Set(stemsOf(quote));
  return stemsOf(piece).some((stem) => stems.has(stem));
}

function stemsOf(text: string): string[] {
  const words = foldText(text).trim().split(" ");
  return words.filter((word) => word.length >= STEM && !isSmallWord(word)).map((word) => word.slice(0, STEM));
}

function overlaps(piece: string, quote: string): boolean {
  return quote !== "" && (piece.includes(quote) || quote.includes(piece));
}

function squeeze(text: string): string {
  return foldText(text).trim();
}
