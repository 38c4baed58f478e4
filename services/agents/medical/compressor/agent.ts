import { agent } from "#shared/runtime";
import { compress, COMPRESSION_ANSWERS, compressionStandIns } from "#shared/context";
import { Case, Referral } from "../contracts.ts";
import type { Turn } from "../contract-fields.ts";
import { redactTurns } from "../intake/redact-turns.ts";
import { keepTranscript } from "./transcripts.ts";
import type { Transcripts } from "./transcripts.ts";

const to = { cardiology: Referral, neurology: Referral };

/** Nominal; 80 % of it are used: a packet is below 500 tokens. */
const PACKET_TOKENS_MAX = 600;
const EMPTY_SUMMARY = "Nothing beyond the complaint was said.";

/**
 * Makes a conversation of any length a packet without small talk. What was said stays behind, stored without what says
 * who somebody is; the packet refers to it.
 */
export const createCompressor = (transcripts: Transcripts) =>
  agent("compressor@1", {
    accepts: Case,
    guard: { mayCause: [] },
    to,
    description: "Sums up a conversation for the specialist, without small talk.",
    capabilities: ["compression"],
    answers: [...COMPRESSION_ANSWERS],
    standIns: compressionStandIns(),
    handle: async ({ visit_id, specialty, complaint, turns }, ctx) => {
      const { packet } = await compress(ctx, {
        strategy: { kind: "rolling_summary" },
        tokensMax: PACKET_TOKENS_MAX,
        // Again, because a producer may send cases past intake.
        conversation: { history: redactTurns(turns).map(toMessage), tool_state: {}, metadata: {} },
        keepTranscript: (bytes, signal) => keepTranscript(transcripts, ctx.envelope, { bytes, signal }),
      });
      const { summary, entities, transcript } = packet;
      const left = { summary: summary === "" ? EMPTY_SUMMARY : summary, entities: [...entities], transcript };
      return ctx.handoff(
        specialty,
        { visit_id, specialty, complaint, packet: left },
        { reason: complaint, preserveHistory: false },
      );
    },
  });

function toMessage({ role, text }: Turn): { readonly role: "user" | "assistant"; readonly content: string } {
  return { role: role === "patient" ? "user" : "assistant", content: text };
}
