import type { Envelope } from "../envelope.ts";
import { EdgeMismatchError, MessageIdMismatchError, PathMismatchError } from "../errors.ts";
import type { EnvelopeKey } from "../keys/keyring.ts";
import { openBytes } from "./open-bytes.ts";
import type { OpenRequest } from "./open-bytes.ts";
import { agentNameOf, findContradiction } from "../path.ts";
import { readEnvelope } from "../read-envelope.ts";

export interface Opened {
  readonly envelope: Envelope;
  /** The envelope's exact JSON text as sealed, in the schema version it was sealed in. */
  readonly bytes: string;
  /** SHA-256 of `bytes`, in hex. */
  readonly digest: string;
  /** Key that it was sealed with. */
  readonly key: EnvelopeKey;
}

/**
 * Opens a sealed message: verifies it before anything is decompressed or parsed.
 *
 * @throws {UntrustedMessageError} Not a sealed message, an unknown key, another signature, queue, job id or edge,
 * or a contradictory envelope. The subclasses tell these apart.
 * @throws {JsonSyntaxError
 * JsonBoundError
 * EnvelopeTooLargeError
 * EnvelopeInvalidError} Genuine, but malformed.
 * @throws {EnvelopeVersionUnsupportedError} Genuine, but from a newer release.
 */
export function open(request: OpenRequest): Opened {
  const { bytes, digest, key } = openBytes(request);
  const envelope = readEnvelope(bytes, request.limits);
  checkOrigin(envelope, { key, jobId: request.jobId });
  return { envelope, bytes, digest, key };
}

/** The signature proves which key signed; sender and receiver in the envelope must match that key. */
function checkOrigin(
  envelope: Envelope,
  { key, jobId }: { readonly key: EnvelopeKey; readonly jobId: string },
): void {
  const { message_id, source_agent, target_agent } = envelope.meta;
  if (message_id !== jobId) throw new MessageIdMismatchError();
  if (agentNameOf(source_agent) !== key.from) throw new EdgeMismatchError(key.key_id, "/meta/source_agent");
  if (agentNameOf(target_agent) !== key.to) throw new EdgeMismatchError(key.key_id, "/meta/target_agent");
  const contradiction = findContradiction(envelope);
  if (contradiction !== undefined) throw new PathMismatchError(contradiction.path, contradiction.problem);
}
