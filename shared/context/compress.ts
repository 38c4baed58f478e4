import { createHash } from "node:crypto";
import type { Conversation } from "#shared/envelope";
import { findEntities } from "./entities.ts";
import { ContextDefinitionError } from "./errors.ts";
import { fitPacket } from "./fit-packet.ts";
import { packetText, readPacket, toConversation } from "./packet.ts";
import type { ContextPacket, TranscriptReference } from "./packet.ts";
import { isOfOpenCall, openCallIds } from "./resume-calls.ts";
import { hierarchicalSummary, recentWindow, rollingSummary } from "./strategies/rolling-summary.ts";
import { extractTurnFields } from "./summaries.ts";
import type { CompressionContext, CompressionOptions, Digest, SummaryLevels, Work } from "./summaries.ts";
import { ceilingOf } from "./tokens.ts";
import { textOf, toTurns } from "./turns.ts";
import { writeContext } from "./written-context.ts";

/** The smallest valid budget, in tokens. */
const TOKENS_MAX_LEAST = 64;

export interface Compressed {
  readonly packet: ContextPacket;
  /** What to hand on: `ctx.handoff(to, payload, { conversation })`. */
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
  const open = openCallIds(conversation);
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
      return recentWindow(work, strategy.turns);
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

/**
 * Makes the reference to the whole conversation: the recorded message that it came in, or, if that was compressed
 * itself, the one it refers to. The digest is of the text that `writeContext` makes.
 */
async function referTo({ ctx, options, conversation }: Work): Promise<TranscriptReference | null> {
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
