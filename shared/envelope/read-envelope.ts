import { isUtf8 } from "node:buffer";
import { compileFit } from "#shared/fit";
import type { EnvelopeLimits } from "./bounds.ts";
import { envelopeSchema } from "./envelope.ts";
import type { Envelope } from "./envelope.ts";
import { EnvelopeInvalidError, JsonSyntaxError } from "./errors.ts";
import { parseBounded } from "./json/parse-bounded.ts";
import { toIssues } from "./pointer.ts";
import { upcastEnvelope } from "./upcasters/upcast-envelope.ts";

/**
 * Reads an envelope from bytes that were verified before: a case's original, a recorded message. Parses within the
 * limits, upcasts to the newest schema, and checks every field but the payload, which its contract checks.
 *
 * @param bytes - The envelope's JSON text, or its UTF-8 bytes.
 * @throws {JsonSyntaxError
 * JsonBoundError
 * EnvelopeTooLargeError} from parsing.
 * @throws {EnvelopeVersionUnsupportedError
 * EnvelopeInvalidError} from checking.
 */
export function readEnvelope(bytes: string | Uint8Array, limits: Partial<EnvelopeLimits> = {}): Envelope {
  const text = typeof bytes === "string" ? bytes : decodeText(bytes);
  const read = parseBounded(text, limits);
  const lifted = upcastEnvelope(read);
  // An upcast one gets its fields in the schema's order, so that its text is of this version in every respect.
  return lifted === read ? checkEnvelope(lifted) : parseEnvelope(lifted);
}

const isEnvelope = compileFit(envelopeSchema);

/** Checks a value against the newest schema. @throws {EnvelopeInvalidError} Lists every fault. */
export function checkEnvelope(value: unknown): Envelope {
  // Fast check first: this runs at every hop.
  if (isEnvelope?.(value) === true) {
    // The schema accepted it with the value as its output.
    return value as Envelope;
  }
  return parseEnvelope(value);
}

function parseEnvelope(value: unknown): Envelope {
  const checked = envelopeSchema.safeParse(value);
  if (!checked.success) throw new EnvelopeInvalidError(toIssues(checked.error));
  return checked.data;
}

/** Decodes bytes strictly, without replacement characters. @throws {JsonSyntaxError} Not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new JsonSyntaxError();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
