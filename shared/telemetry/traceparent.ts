import { randomHex } from "#shared/clock";

/** What a W3C `traceparent` header says. Ids are lower-case hex: 32 and 16 characters, never all zero. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the sender recorded this trace, and so should we. */
  readonly isSampled: boolean;
}

const PATTERN = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LENGTH_MAX = 512;

/**
 * Reads a W3C Trace Context `traceparent`, of version 00 or a later one that begins in the same way.
 *
 * @returns null for anything else: upper-case or zero ids, version ff, more parts in version 00. It comes from outside,
 *   and a bad one starts a new trace rather than an error.
 */
export function parseTraceparent(text: string): TraceParent | null {
  const match = text.length > LENGTH_MAX ? null : PATTERN.exec(text);
  if (match === null) return null;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = match;
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes version 00. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A traceparent of a new trace, sampled; of the given trace if there is one. */
export function newTraceparent(traceId: string = newId(16)): string {
  return formatTraceparent({ traceId, spanId: newId(8), isSampled: true });
}

function newId(bytes: number): string {
  const id = randomHex(bytes);
  return /^0+$/.test(id) ? newId(bytes) : id;
}
