import { createHash } from "node:crypto";
import { openCallIds } from "#shared/envelope";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import { findEntities, ENTITY_KINDS, foldEntity, splitSentences } from "./entities.ts";
import { ContextDefinitionError, ContextTooLargeError } from "./errors.ts";
import { packetText, readPacket, toConversation } from "./packet.ts";
import type { ContextPacket } from "./packet.ts";
import { isOfOpenCall } from "./resume-calls.ts";
import { hierarchicalSummary, rollingSummary } from "./strategies.ts";
import { extractTurnFields, textOf, toTurns } from "./summaries.ts";
import type { CompressionContext, CompressionOptions, Digest, SummaryLevels, Work } from "./summaries.ts";
import { ceilingOf } from "./tokens.ts";
import { writeContext } from "./written-context.ts";
import type { Entity } from "./entities.ts";
import type { CountTokens } from "./tokens.ts";

const TURNS_DEFAULT = 6;

const TOKENS_MAX_LEAST = 64;

export interface Compressed {
  readonly packet: ContextPacket;
  /** The conversation to hand on: `ctx.handoff(to, payload, { conversation })`. */
  readonly conversation: Conversation;
  /** Size of the packet in tokens, at most 80 % of `tokensMax`. */
  readonly tokens: number;
  /** The levels of a hierarchical summary, for handing on other details to other agents; else null. */
  readonly levels: SummaryLevels | null;
  /** Number of model sentences removed because they name something that the source does not. */
  readonly dropped: number;
}

/**
 * Makes a conversation small enough for who goes on with it: a packet of summary, entities, newest turns and a
 * reference to the whole. Models are asked through the handler's own context, so that each call is recorded and
 * priced: a re-run pays for none again. Entities are found by rule and never invented; tool calls that are open stay.
 *
 * @throws {ContextDefinitionError} The budget is below 64 tokens.
 * @throws {ContextTooLargeError} The open calls alone are over the budget, or the conversation is longer than a
 * compression may read.
 */
export async function compress(ctx: CompressionContext, options: CompressionOptions): Promise<Compressed> {
  if (!(options.tokensMax >= TOKENS_MAX_LEAST))
    throw new ContextDefinitionError(`a budget of ${options.tokensMax} tokens is below ${TOKENS_MAX_LEAST}`);
  const conversation = options.conversation ?? ctx.envelope.conversation;
  const before = readPacket(conversation);
  const count = await ctx.tokenCounter();
  const work: Work = {
    ctx,
    options,
    conversation,
    summarySoFar: before?.summary ?? "",
    count,
    tokensMax: ceilingOf(options.tokensMax),
  };
  const digest = await digestBy(work);
  const open = openCallIds(conversation.tool_state);
  const packet = fitPacket(
    {
      summary: digest.summary,
      entities: [...findEntities(textOf(toTurns(conversation.history))), ...(before?.entities ?? [])],
      transcript: await referTo(work),
      turns: digest.conversation.history.map((message) => ({ message, isHeld: isOfOpenCall(message, open) })),
      turnsMax: digest.turnsMax,
    },
    work,
  );
  return {
    packet,
    conversation: toConversation(packet, conversation),
    tokens: count(packetText(packet)),
    levels: digest.levels,
    dropped: digest.dropped,
  };
}

function digestBy(work: Work): Promise<Digest> | Digest {
  const { strategy } = work.options;
  switch (strategy.kind) {
    case "rolling_summary":
      return rollingSummary(work);
    case "hierarchical_summary":
      return hierarchicalSummary(work, strategy.detail);
    case "recent_window":
      return rollingSummary(work, strategy.turns ?? TURNS_DEFAULT);
    case "truncation":
      return withoutModel(work, work.conversation);
    case "field_extraction":
      return withoutModel(work, extractTurnFields(work.conversation, strategy.fields));
    default:
      return strategy satisfies never;
  }
}

/** Skips the model. Keeps a summary that an earlier agent paid for. */
function withoutModel({ summarySoFar }: Work, conversation: Conversation): Digest {
  const turnsMax = conversation.history.length;
  return { summary: summarySoFar, turnsMax, conversation, levels: null, dropped: 0 };
}

/** Refers to the whole conversation: the recorded message, or what that refers to. Digest of `writeContext`'s text. */
async function referTo({ ctx, options, conversation }: Work): Promise<ContextPacket["transcript"]> {
  const turns = conversation.history.length;
  if (turns === 0) return null;
  const { keepTranscript } = options;
  if (keepTranscript !== undefined) {
    const kept = await ctx.step(`${options.step ?? "compress"}/transcript`, (signal) =>
      keepTranscript(writeContext(conversation), signal),
    );
    return { uri: kept.uri, sha256: kept.sha256, turns };
  }
  const sha256 = createHash("sha256").update(writeContext(conversation)).digest("hex");
  return { uri: `suture:message/${ctx.envelope.meta.message_id}`, turns, sha256 };
}

/** Candidates for a packet, the most important first in each list. */
interface PacketParts {
  readonly summary: string;
  readonly entities: readonly Entity[];
  readonly transcript: ContextPacket["transcript"];
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

const CUT = " […]";

/** Maximum share of the summary while there are turns or entities to keep. */
const SUMMARY_SHARE = 0.6;

/** Minimum characters of a truncated turn; a shorter one is left out. */
const TURN_CHARS_MIN = 16;

/** Fits the most important of each part into the budget. @throws {ContextTooLargeError} The held turns exceed it. */
function fitPacket(parts: PacketParts, { tokensMax, count }: FitOptions): ContextPacket {
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
function addSummary(packet: ContextPacket, summary: string, { tokensMax, count }: FitOptions): ContextPacket {
  const used = count(packetText(packet));
  const room = { tokensMax: used + Math.floor((tokensMax - used) * SUMMARY_SHARE), count };
  const sentences = splitSentences(summary);
  const withFirst = (n: number): ContextPacket => ({
    ...packet,
    summary: n === sentences.length ? summary : sentences.slice(0, n).join(" "),
  });
  return withFirst(longest(sentences.length, (n) => fits(withFirst(n), room)));
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
  const newest = free.toReversed().slice(0, Math.max(0, parts.turnsMax));
  const withNewest = (n: number): ContextPacket => {
    const chosen = new Set(newest.slice(0, n));
    const turns = parts.turns.filter(({ isHeld }, index) => isHeld || chosen.has(index));
    return { ...packet, turns: turns.map(({ message }) => message) };
  };
  const kept = longest(newest.length, (n) => fits(withNewest(n), options));
  return kept > 0 || parts.turnsMax <= 0 ? withNewest(kept) : addCutTurn(packet, parts, options);
}

/** Keeps the beginning of the newest turn when it does not fit whole, because it holds the current request. */
function addCutTurn(packet: ContextPacket, parts: PacketParts, options: FitOptions): ContextPacket {
  const index = parts.turns.findLastIndex(({ isHeld }) => !isHeld);
  const newest = parts.turns[index]?.message;
  if (newest === undefined) return packet;
  const cutTo = (chars: number): ContextPacket => {
    // Never splits a surrogate pair.
    const content = newest.content.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "") + CUT;
    const turns = parts.turns.flatMap(({ message, isHeld }, at) => {
      if (at === index) return [{ role: newest.role, content }];
      return isHeld ? [message] : [];
    });
    return { ...packet, turns };
  };
  const chars = longest(newest.content.length, (n) => n === 0 || fits(cutTo(n), options));
  return chars < TURN_CHARS_MIN ? packet : cutTo(chars);
}

/** Binary search for the largest n up to `max` that passes. Tokens are not monotonic: nearly the largest. */
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
