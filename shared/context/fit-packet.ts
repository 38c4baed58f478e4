import type { HistoryMessage } from "#shared/envelope";
import { foldEntity } from "./entities/find-entities.ts";
import { ENTITY_KINDS } from "./entities/entity.ts";
import type { Entity } from "./entities/entity.ts";
import { ContextTooLargeError } from "./errors.ts";
import { packetText } from "./packet.ts";
import type { ContextPacket, TranscriptReference } from "./packet.ts";
import { splitSentences } from "./sentences.ts";
import type { CountTokens } from "./tokens.ts";

/** What a packet may be made of, the most wanted first in each list. */
export interface PacketParts {
  readonly summary: string;
  readonly entities: readonly Entity[];
  readonly transcript: TranscriptReference | null;
  /** All turns, oldest first. Of those that are not `isHeld` the newest are kept, as many as fit. */
  readonly turns: readonly { readonly message: HistoryMessage; readonly isHeld: boolean }[];
  /** Of the turns that are not held, at most so many. */
  readonly turnsMax: number;
}

export interface FitOptions {
  /** All of it, after the ceiling was taken off. */
  readonly tokensMax: number;
  readonly count: CountTokens;
}

/** Shown where a turn was cut. */
const CUT = " […]";
/** What of the room the summary may have, while there are turns or entities to be kept. */
const SUMMARY_SHARE = 0.6;
/** A newest turn that is cut keeps at least so many characters, or is left out. */
const TURN_CHARS_MIN = 16;

/**
 * Puts a packet together that has no more tokens than it may: what is held first, then the summary, then what it
 * does not name, then the newest turns. What does not fit is left out, from the least wanted end of each.
 *
 * @throws {ContextTooLargeError} Already what must not be left out is too large.
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

/** Whole sentences as they come; the first one cut, where not even that fits. */
function addSummary(packet: ContextPacket, summary: string, options: FitOptions): ContextPacket {
  if (fits({ ...packet, summary }, within(packet, options))) return { ...packet, summary };
  const sentences = splitSentences(summary);
  const kept = longest(sentences.length, (n) =>
    fits({ ...packet, summary: sentences.slice(0, n).join(" ") }, within(packet, options)),
  );
  return { ...packet, summary: sentences.slice(0, kept).join(" ") };
}

/** The summary may not crowd out everything else. */
function within(packet: ContextPacket, { tokensMax, count }: FitOptions): FitOptions {
  const used = count(packetText(packet));
  return { tokensMax: used + Math.floor((tokensMax - used) * SUMMARY_SHARE), count };
}

/** By kind, then as they were given; what the summary names already is not named twice. */
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

/** Not even the newest turn fits: its beginning stays, for it says what is wanted now. */
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

/** Never in the middle of a character. */
function cutAt(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "");
}

/**
 * The largest n up to `max` that passes, by halves: a count of tokens reads the whole packet. Tokens do not grow
 * evenly, so the result is one that passes, and very nearly the largest.
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
