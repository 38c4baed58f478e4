import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { compileSchema } from "#shared/compiled-schema";
import type { Issue } from "#shared/errors";
import { isRecord, pointerStep } from "#shared/json";
import { ENVELOPE_SCHEMA_VERSION, envelopeSchema } from "./envelope.ts";
import type { Envelope } from "./envelope.ts";
import type { EnvelopeLimits } from "./bounds.ts";
import { EnvelopeInvalidError, EnvelopeVersionUnsupportedError, JsonSyntaxError } from "./errors.ts";
import { parseBounded } from "./json/parse-bounded.ts";

/**
 * Reads an envelope from bytes verified before, and checks every field but the payload.
 * @param bytes - The envelope's JSON text, or its UTF-8 bytes.
 * @throws {JsonSyntaxError | JsonBoundError | EnvelopeTooLargeError} from parsing.
 * @throws {EnvelopeVersionUnsupportedError | EnvelopeInvalidError} from checking.
 */
export function readEnvelope(bytes: string | Uint8Array, limits: Partial<EnvelopeLimits> = {}): Envelope {
  const text = typeof bytes === "string" ? bytes : decodeText(bytes);
  return checkEnvelope(parseBounded(text, limits));
}

const isEnvelope = compileSchema(envelopeSchema);

/** Checks a value against this release's schema. @throws {EnvelopeVersionUnsupportedError | EnvelopeInvalidError} */
export function checkEnvelope(value: unknown): Envelope {
  // Fast check first: this runs at every hop.
  if (isEnvelope?.(value) === true) {
    // The schema accepted it with the value as its output.
    return value as Envelope;
  }
  return parseEnvelope(value);
}

function parseEnvelope(value: unknown): Envelope {
  const version = isRecord(value) ? value["schema"] : undefined;
  if (Number.isSafeInteger(version) && Number(version) > ENVELOPE_SCHEMA_VERSION)
    throw new EnvelopeVersionUnsupportedError(ENVELOPE_SCHEMA_VERSION);
  const checked = envelopeSchema.safeParse(value);
  if (!checked.success) throw new EnvelopeInvalidError(toIssues(checked.error));
  return checked.data;
}

/** Decodes bytes strictly, without replacement characters. @throws {JsonSyntaxError} Not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new JsonSyntaxError();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Maximum issues per error. */
const ISSUES_MAX = 50;

/** Converts zod issues to ours: code, path and zod's text, which names types and patterns but no values. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.slice(0, ISSUES_MAX).map((issue) => {
    const unknownKey = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    const path = [...issue.path, ...unknownKey].map(pointerStep).join("");
    return unknownKey.length > 0
      ? { path, code: "unknown_field", message: "this field is not part of the envelope" }
      : { path, code: issue.code, message: issue.message };
  });
}
