import type { Envelope } from "#shared/envelope";
import type { SealedMessage } from "#shared/envelope/seals";
import { RoutingMismatchError, WireMalformedError } from "./errors.ts";
import { FlatCodec } from "./flat-codec.ts";

/** What operators and a bridge need to know of a message before its seal is opened. Never trusted over the seal. */
export interface Routing {
  readonly message_id: string;
  readonly run_id: string;
  readonly trace_id: string;
  /** `name@version`. */
  readonly source_agent: string;
  readonly target_agent: string;
  readonly hop_count: number;
  readonly max_hops: number;
  /** RFC 3339; null for a message that never expires. */
  readonly expires_at: string | null;
}

/** A sealed message on its way to another cluster. */
export interface CarriedMessage {
  readonly sealed: SealedMessage;
  readonly routing: Routing;
  /** Name of the cluster that keeps the run's record. */
  readonly home: string;
  /** When its sender first tried, in ms since the epoch. */
  readonly firstSentMs: number;
}

/** Numbers and kinds as in carried-message.proto, which a test holds this to. */
export const CARRIED_FIELDS = {
  text: { number: 1, kind: "string" },
  gzip: { number: 2, kind: "bytes" },
  alg: { number: 3, kind: "string" },
  key_id: { number: 4, kind: "string" },
  signature: { number: 5, kind: "string" },
  attempt: { number: 6, kind: "uint" },
  message_id: { number: 7, kind: "string" },
  run_id: { number: 8, kind: "string" },
  trace_id: { number: 9, kind: "string" },
  source_agent: { number: 10, kind: "string" },
  target_agent: { number: 11, kind: "string" },
  hop_count: { number: 12, kind: "uint" },
  max_hops: { number: 13, kind: "uint" },
  expires_at: { number: 14, kind: "string" },
  home: { number: 15, kind: "string" },
  first_sent_ms: { number: 16, kind: "uint" },
} as const;

const codec = new FlatCodec(CARRIED_FIELDS);

export function routingOf({ meta }: Envelope): Routing {
  const { message_id, run_id, trace_id, source_agent, target_agent, hop_count, max_hops, expires_at } = meta;
  return { message_id, run_id, trace_id, source_agent, target_agent, hop_count, max_hops, expires_at };
}

/**
 * The protobuf form of a sealed message. Decoded, it gives the same sealed text, byte for byte. A large text, which is
 * stored as base64 of gzip, travels as the gzip itself: a quarter less.
 *
 * @throws {WireMalformedError} A text is not well-formed, a number out of range, or gzip not in canonical base64:
 * such a message opens nowhere.
 */
export function encodeCarried(carried: CarriedMessage): Buffer {
  const { sealed, routing, home, firstSentMs } = carried;
  const isPacked = sealed.encoding === "gzip";
  return codec.encode({
    ...(isPacked ? { gzip: unpackBase64(sealed.sealed) } : { text: sealed.sealed }),
    alg: sealed.seal.alg,
    key_id: sealed.seal.key_id,
    signature: sealed.seal.value,
    attempt: sealed.attempt,
    ...routing,
    expires_at: routing.expires_at ?? "",
    home,
    first_sent_ms: firstSentMs,
  });
}

function unpackBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (text === "" || bytes.toString("base64") !== text)
    throw new WireMalformedError("its gzip is not canonical base64");
  return bytes;
}

/**
 * Reads what `encodeCarried` wrote, of any origin: nothing in it is verified yet. Bound the bytes before.
 *
 * @throws {WireMalformedError}
 */
export function decodeCarried(bytes: Uint8Array): CarriedMessage {
  const fields = codec.decode(bytes);
  const { text, gzip, alg } = fields;
  if (text !== undefined && gzip !== undefined)
    throw new WireMalformedError("it holds a text and a gzip stream");
  if (alg !== "HS256" && alg !== "EdDSA") throw new WireMalformedError("its seal has no known algorithm");
  return {
    sealed: {
      sealed: gzip === undefined ? (text ?? "") : Buffer.from(gzip).toString("base64"),
      seal: { alg, key_id: fields.key_id ?? "", value: fields.signature ?? "" },
      attempt: fields.attempt ?? 0,
      ...(gzip === undefined ? {} : { encoding: "gzip" as const }),
    },
    routing: {
      message_id: fields.message_id ?? "",
      run_id: fields.run_id ?? "",
      trace_id: fields.trace_id ?? "",
      source_agent: fields.source_agent ?? "",
      target_agent: fields.target_agent ?? "",
      hop_count: fields.hop_count ?? 0,
      max_hops: fields.max_hops ?? 0,
      // Absent and empty are the same in proto3.
      expires_at: fields.expires_at === undefined || fields.expires_at === "" ? null : fields.expires_at,
    },
    home: fields.home ?? "",
    firstSentMs: fields.first_sent_ms ?? 0,
  };
}

/** Holds the fields beside the seal against what was under it. @throws {RoutingMismatchError} */
export function checkRouting(routing: Routing, envelope: Envelope): void {
  const sealed = routingOf(envelope);
  // The keys of a Routing are those of the literal that routingOf makes.
  for (const field of Object.keys(sealed) as (keyof Routing)[]) {
    if (routing[field] !== sealed[field]) throw new RoutingMismatchError(field);
  }
}
