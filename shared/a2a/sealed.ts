import type { Part } from "@a2a-js/sdk";
import { derivedId } from "#shared/clock";
import { agentNameOf, createFirst } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import { open, seal } from "#shared/envelope/seals";

/** Extension of a card: the JSON Schema that the data of a message to the skill has to match. */
export const CONTRACT_EXTENSION = "urn:suture:a2a:contract:1";

/** Key in the metadata of tasks: what the protocol has no field for, such as costs and who is waited for. */
export const RUN_EXTENSION = "urn:suture:a2a:run:1";

/** Metadata of a part of raw bytes that is a sealed envelope: algorithm, key, signature and digest. */
export const SEALED_EXTENSION = "urn:suture:a2a:sealed:1";

/** A message between two clusters, which has an edge and a key as between two agents. */
interface Crossing {
  readonly keys: Keyring;
  /** `name@version` of the sender: an agent, or a team. */
  readonly from: string;
  /** `name@version` of the receiver. */
  readonly to: string;
  /** Id of the A2A message, or of the task whose result it is. */
  readonly id: string;
  readonly contract: string;
  readonly traceparent: string;
}

/**
 * Returns a payload as a sealed envelope: its exact text as raw bytes, which no binding changes, with digest and
 * signature as the part's metadata. The envelope holds nothing of its sender's run but the trace.
 *
 * @throws {SigningKeyMissingError} There is no key of this edge.
 */
export function sealPart(payload: unknown, { keys, from, to, id, contract, traceparent }: Crossing): Part {
  const first = createFirst({ from, to, contract, payload, traceparent, ttlMs: null });
  const envelope = { ...first, meta: { ...first.meta, message_id: sealedIdOf(id) } };
  const [sender, queue] = [agentNameOf(from), agentNameOf(to)];
  const sealed = seal({ envelope, queue, key: keys.signing(sender, queue) });
  const { sealed: text, seal: signature, encoding = "" } = sealed.message;
  return {
    content: { $case: "raw", value: Buffer.from(text) },
    metadata: { [SEALED_EXTENSION]: { ...signature, encoding, digest: sealed.digest } },
    filename: "",
    mediaType: "application/json",
  };
}

/** Returns true for a part that claims to be a sealed envelope. */
export function isSealed(part: Part): boolean {
  return part.content?.$case === "raw" && part.metadata?.[SEALED_EXTENSION] !== undefined;
}

/**
 * Opens a sealed part: signature, edge, id and digest first, then the envelope.
 *
 * @param asked.to - Name of the receiver, without version.
 * @throws {SutureError} It is not what its sender sealed for this receiver and id.
 */
export function openPart(
  { content, metadata }: Part,
  { keys, to, id }: { readonly keys: Keyring; readonly to: string; readonly id: string },
): { readonly envelope: Envelope; readonly digest: string; readonly from: string } {
  const bytes = content?.$case === "raw" ? Buffer.from(content.value) : Buffer.alloc(0);
  // `open` takes what it is given as unchecked.
  const { encoding, ...signature } = (metadata?.[SEALED_EXTENSION] ?? {}) as Record<string, unknown>;
  const message = {
    sealed: bytes.toString(),
    seal: signature,
    attempt: 0,
    ...(encoding === "gzip" ? { encoding } : {}),
  };
  const { envelope, digest, key } = open({ message, queue: to, jobId: sealedIdOf(id), keyring: keys });
  return { envelope, digest, from: key.from };
}

/** Ids of A2A are any text; that of an envelope is a UUID. */
function sealedIdOf(id: string): string {
  return derivedId("a2a", id);
}
