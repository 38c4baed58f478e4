import { z } from "zod";
import { compileSchema } from "#shared/compiled-schema";
import { SealMalformedError } from "../errors.ts";

/** A job's data as stored. Only `attempt` may change after sealing. */
export interface SealedMessage {
  /** The envelope's exact JSON text; with `encoding` gzip, the base64 of its compressed bytes. */
  readonly sealed: string;
  readonly seal: {
    readonly alg: "HS256";
    readonly key_id: string;
    /** base64url without padding. */
    readonly value: string;
  };
  /** Deliveries counted by the runtime. 0 when sealed. */
  readonly attempt: number;
  readonly encoding?: "gzip";
}

const SEAL_TEXT_CHARS_MAX = 256;

/** Other fields are ignored, because they are outside the seal. */
const sealedMessageSchema = z.object({
  sealed: z.string(),
  seal: z.object({
    alg: z.literal("HS256"),
    key_id: z.string().max(SEAL_TEXT_CHARS_MAX),
    value: z.string().max(SEAL_TEXT_CHARS_MAX),
  }),
  attempt: z.int().min(0),
  encoding: z.literal("gzip").exactOptional(),
});

const isSealedMessage = compileSchema(sealedMessageSchema);

function asRead(data: unknown): { readonly success: true; readonly data: SealedMessage } {
  // The schema accepted it with the value as its output.
  return { success: true, data: data as SealedMessage };
}

/** Returns the maximum stored length: base64 adds a third; gzip adds a few bytes to incompressible data. */
function storedCharsMax(envelopeBytesMax: number): number {
  return Math.ceil((envelopeBytesMax * 4) / 3) + 4096;
}

/**
 * Checks the form of a stored job, before anything in it is trusted. @throws {SealMalformedError} A part is missing,
 * mistyped, too large, or has a lone surrogate, which would be signed as another character.
 */
export function readSealedMessage(data: unknown, envelopeBytesMax: number): SealedMessage {
  const read = isSealedMessage?.(data) === true ? asRead(data) : sealedMessageSchema.safeParse(data);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new SealMalformedError(`${issue?.path.join(".") || "its data"} is missing or of the wrong kind`);
  }
  const { sealed } = read.data;
  if (sealed.length > storedCharsMax(envelopeBytesMax)) throw new SealMalformedError("it is too large");
  if (!sealed.isWellFormed()) throw new SealMalformedError("it is not well-formed text");
  return read.data;
}

/** An original seal without the message: it signs its digest, so that the edge's key verifies it without the text. */
export const originalSealSchema = z.strictObject({
  message_id: z.string().max(64),
  alg: z.literal("HS256"),
  key_id: z.string().max(256),
  /** base64url without padding. */
  value: z.string().max(256),
  /** "" for plain text. */
  encoding: z.enum(["", "gzip"]),
  /** SHA-256 of the sealed text as stored, in hex. With `encoding` "" it is the envelope's digest. */
  sealed_digest: z.string().regex(/^[0-9a-f]{64}$/),
});

export type OriginalSeal = z.output<typeof originalSealSchema>;
