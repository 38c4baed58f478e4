import type { HistoryMessage } from "#shared/envelope";
import { ENTITY_KINDS, foldEntity, splitSentences } from "./entities.ts";
import type { Entity } from "./entities.ts";
import { ContextTooLargeError } from "./errors.ts";
import { packetText } from "./packet.ts";
import type { ContextPacket, TranscriptReference } from "./packet.ts";
import type { CountTokens } from "./tokens.ts";

/** Candidates for a packet, the most important first in each list. */
interface PacketParts {
  readonly summary: string;
  readonly entities: readonly Entity[];
  readonly transcript: TranscriptReference | null;
  /** All turns, oldest first. `isHeld` ones are always kept; of the others the newest that fit. */
  readonly turns: readonly { readonly message: HistoryMessage; readonly isHeld: boolean }[];
  /** Maximum number of turns that are not `isHeld`. */
  readonly turnsMax: number;
}

interface FitOptions {
  /** Maximum size of the packet, below the ceiling. */
  readonly tokensMax: number;
  readonly count: CountTokens;
}

/** Marks a truncated turn. */
const CUT = " […]";

/** Maximum share of the summary while there are turns or entities to keep. */
const SUMMARY_SHARE = 0.6;

/** Minimum characters of a truncated turn; a shorter one is left out. */
const TURN_CHARS_MIN = 16;

/**
 * Assembles a packet within its token budget: held turns first, then the summary, entities that it does not name, and
 * the newest turns. Drops the least important of each.
 * @throws {ContextTooLargeError} The held turns alone exceed the budget.
 */
export function fitPacket(parts: PacketParts, { tokensMax, count }: FitOptions): ContextPacket {
  const held = parts.turns.filter(({ isHeld }) => isHeld).map(({ message }) => message);
  const bare: ContextPacket = { summary: "", entities: [], transcript: parts.transcript, turns: held };
  const least = count(packetText(bare));
  if (least > tokensMax)
    throw new ContextTooLargeError({ of: "What has to stay of a conversation", tokens: least, tokensMax });
  const room = { tokensMax, count };
  const summarised = addSummary(bare, parts.summary, room);
  const named = addEntities(summarised, parts.entities, room);
  return addTurns(named, parts, room);
}

function fits(packet: ContextPacket, { tokensMax, count }: FitOptions): boolean {
  return count(packetText(packet)) <= tokensMax;
}

/** Adds whole sentences while they fit, or a part of the first one. */
function addSummary(packet: ContextPacket, summary: string, options: FitOptions): ContextPacket {
  if (fits({ ...packet, summary }, within(packet, options))) return { ...packet, summary };
  const sentences = splitSentences(summary);
  const kept = longest(sentences.length, (n) =>
    fits({ ...packet, summary: sentences.slice(0, n).join(" ") }, within(packet, options)),
  );
  return { ...packet, summary: sentences.slice(0, kept).join(" ") };
}

/** Limits the summary's share. */
function within(packet: ContextPacket, { tokensMax, count }: FitOptions): FitOptions {
  const used = count(packetText(packet));
  return { tokensMax: used + Math.floor((tokensMax - used) * SUMMARY_SHARE), count };
}

/** Adds entities by kind, in the given order, without those that the summary names. */
function addEntities(packet: ContextPacket, entities: readonly Entity[], options: FitOptions): ContextPacket {
  const said = foldEntity(packet.summary);
  const wanted = entities
    .filter(({ text }) => !said.includes(foldEntity(text)))
    .toSorted((a, b) => ENTITY_KINDS.indexOf(a.kind) - ENTITY_KINDS.indexOf(b.kind));
  const kept = longest(wanted.length, (n) => fits({ ...packet, entities: wanted.slice(0, n) }, options));
  return { ...packet, entities: wanted.slice(0, kept) };
}

function addTurns(packet: ContextPacket, parts: PacketParts, options: FitOptions): ContextPacket {
  const free = parts.turns.flatMap(({ isHeld }, index) => (isHeld ? [] : [index]));
  const newest = free.slice(-Math.max(0, parts.turnsMax)).toReversed();
  const withNewest = (n: number): ContextPacket => {
    const chosen = new Set(newest.slice(0, parts.turnsMax <= 0 ? 0 : n));
    const turns = parts.turns.filter(({ isHeld }, index) => isHeld || chosen.has(index));
    return { ...packet, turns: turns.map(({ message }) => message) };
  };
  const kept = longest(parts.turnsMax <= 0 ? 0 : newest.length, (n) => fits(withNewest(n), options));
  return kept > 0 || parts.turnsMax <= 0 ? withNewest(kept) : addCutTurn(packet, parts, options);
}

/** Keeps the beginning of the newest turn when it does not fit whole, because it holds the current request. */
function addCutTurn(packet: ContextPacket, parts: PacketParts, options: FitOptions): ContextPacket {
  const index = parts.turns.findLastIndex(({ isHeld }) => !isHeld);
  const newest = parts.turns[index]?.message;
  if (newest === undefined) return packet;
  const cutTo = (chars: number): ContextPacket => {
    const content = cutAt(newest.content, chars) + CUT;
    const turns = parts.turns.flatMap(({ message, isHeld }, at) => {
      if (at === index) return [{ role: newest.role, content }];
      return isHeld ? [message] : [];
    });
    return { ...packet, turns };
  };
  const chars = longest(newest.content.length, (n) => n === 0 || fits(cutTo(n), options));
  return chars < TURN_CHARS_MIN ? packet : cutTo(chars);
}

/** Never splits a surrogate pair. */
function cutAt(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "");
}

/**
 * Binary search for the largest n up to `max` that passes: each count reads the whole packet. Tokens are not
 * monotonic, so the result passes and is nearly the largest.
 */
function longest(max: number, passes: (n: number) => boolean): number {
  let [low, high] = [0, max];
  if (max > 0 && passes(max)) return max;
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}
