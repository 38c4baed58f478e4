import { Readable } from "node:stream";
import { agent } from "#shared/runtime";
import { compress, COMPRESSION_ANSWERS, compressionStandIns } from "#shared/context";
import type { LocalBlobs } from "#shared/blobs";
import { tenantOfUser } from "#shared/config";
import type { Envelope } from "#shared/envelope";
import { Case, Referral } from "../contracts.ts";
import { redactTurns } from "../intake/redact-turns.ts";

/** Returns the store of conversations. Called when needed, so that the team's graph needs no configuration. */
export type Transcripts = () => LocalBlobs;

/** Stores a conversation among the tenant's files; returns its `sha256:<hex>`, kept for `SUTURE_BLOB_HOURS`. */
async function keepTranscript(
  transcripts: Transcripts,
  { user_context }: Pick<Envelope, "user_context">,
  { bytes, signal }: { readonly bytes: Uint8Array; readonly signal: AbortSignal },
): Promise<{ readonly uri: string; readonly sha256: string }> {
  const { sha256 } = await transcripts()
    .of(tenantOfUser(user_context.user_id))
    .store({
      content: Readable.from([bytes]),
      mimeType: "application/json",
      bytesMax: bytes.byteLength,
      signal,
    });
  return { uri: `sha256:${sha256}`, sha256 };
}

const to = { cardiology: Referral, neurology: Referral };

/** Nominal; 80 % of it are used: a packet is below 500 tokens. */
const PACKET_TOKENS_MAX = 600;
const EMPTY_SUMMARY = "Nothing beyond the complaint was said.";

/** Makes a conversation a packet without small talk; what was said is stored without personal data. */
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
        conversation: {
          history: redactTurns(turns).map(({ role, text: content }) => ({
            role: role === "patient" ? "user" : "assistant",
            content,
          })),
          tool_state: {},
          metadata: {},
        },
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
