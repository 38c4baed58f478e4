import { z } from "zod";
import { compileFit } from "#shared/fit";
import { SealMalformedError } from "./errors.ts";

/** How a message is signed. Decided by the key's record, never by the message. */
export type SealAlgorithm = "HS256" | "EdDSA";

/** What is stored as a job's data. Only `attempt` may change after sealing. */
export interface SealedMessage {
  /** The envelope's exact JSON text; with `encoding` gzip, the base64 of its compressed bytes. */
  readonly sealed: string;
  readonly seal: {
    readonly alg: SealAlgorithm;
    readonly key_id: string;
    /** base64url without padding. */
    readonly value: string;
  };
  /** Deliveries so far, counted by the runtime. 0 when sealed. */
  readonly attempt: number;
  readonly encoding?: "gzip";
}

const SEAL_TEXT_CHARS_MAX = 256;

/** Fields beside these are ignored: nothing outside the seal may steer. */
const sealedMessageSchema = z.object({
  sealed: z.string(),
  seal: z.object({
    alg: z.enum(["HS256", "EdDSA"]),
    key_id: z.string().max(SEAL_TEXT_CHARS_MAX),
    value: z.string().max(SEAL_TEXT_CHARS_MAX),
  }),
  attempt: z.int().min(0),
  encoding: z.literal("gzip").exactOptional(),
});

const isSealedMessage = compileFit(sealedMessageSchema);

function asRead(data: unknown): { readonly success: true; readonly data: SealedMessage } {
  // The schema's own yes, with the value as its output.
  return { success: true, data: data as SealedMessage };
}

/** base64 writes 3 bytes as 4 characters; gzip adds a few bytes to what it cannot compress. */
function storedCharsMax(envelopeBytesMax: number): number {
  return Math.ceil((envelopeBytesMax * 4) / 3) + 4096;
}

/**
 * The form of a stored job, before anything in it is believed or parsed.
 *
 * @throws {SealMalformedError} A part is missing, of the wrong type, larger than any sealed message, or not text that
 * has one byte form: a lone surrogate would be signed as the same bytes as another character.
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
