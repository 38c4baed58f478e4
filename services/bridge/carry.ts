import { z } from "zod";
import { followSignals, now, sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { ExpiredError } from "#shared/envelope/limits";
import type { Envelope } from "#shared/envelope";
import type { SealedMessage } from "#shared/envelope/seals";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { encodeCarried, routingOf } from "#shared/wire";
import { PATHS } from "./bridge.ts";
import { CrossingForeignError, CrossingUncertainError, PeerRefusedError } from "./errors.ts";
import { PeerUnreachableError } from "./errors.ts";
import type { PeerLink, PeerReply } from "./link/peer-link.ts";

/** Timeout of one delivery, in ms. The message then waits in the retry queue, so that others get their turn. */
export const TRIES_MS = 15_000;

const PAUSE_MS = 50;
const PAUSE_MS_MAX = 2000;

/** What the proxy of one remote agent works with. */
export interface Carrier {
  readonly link: PeerLink;
  /** Returns the cluster that keeps the run's record. */
  readonly homeOf: (runId: string) => Promise<string>;
  /** Timeout of one delivery, in ms. */
  readonly triesMs: number;
}

/**
 * Sends one message to the cluster of its receiver, and ends it here only when that cluster's Redis has it.
 *
 * Records the first attempt before it sends, behind the fence. A message that was never sent expires here as any other.
 * A message that may have arrived is sent until the other side confirms it, even after its expiry, because the other
 * side may already be handling it.
 *
 * @throws {ExpiredError} The message expired and was never accepted.
 * @throws {PeerUnreachableError | PeerRefusedError} Transient: the message is retried.
 * @throws {CrossingUncertainError | CrossingForeignError} The message goes to quarantine, for a person to decide.
 */
export async function carry(carrier: Carrier, sealed: SealedMessage, ctx: Context): Promise<HandlerOutcome> {
  const { peer } = carrier.link;
  const giveUp = new AbortController();
  const { signal, letGo } = followSignals([ctx.signal, giveUp.signal]);
  const timer = setTimeout(() => giveUp.abort(), carrier.triesMs);
  try {
    const firstSentMs = await ctx.step("first_sent", () => reachBeforeExpiry(carrier, ctx.envelope, signal));
    const home = await carrier.homeOf(ctx.envelope.meta.run_id);
    const body = encodeCarried({ sealed, routing: routingOf(ctx.envelope), home, firstSentMs });
    crashPoint("W23:after_note_before_send");
    await sendUntilTaken(carrier, { body, envelope: ctx.envelope, signal });
    crashPoint("W23:after_taken_before_outcome");
    return { kind: "carried", cluster: peer.cluster };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (giveUp.signal.aborted && !isOurs(error))
      throw new PeerUnreachableError(peer.cluster, "it has not answered for some time", error);
    throw error;
  } finally {
    clearTimeout(timer);
    letGo();
  }
}

function isOurs(error: unknown): boolean {
  return error instanceof PeerRefusedError || error instanceof ExpiredError;
}

/** A message that never left is noted as sent only when there is somebody to send it to, and time left. */
async function reachBeforeExpiry(carrier: Carrier, envelope: Envelope, signal: AbortSignal): Promise<number> {
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    checkExpiry(envelope);
    try {
      await carrier.link.reach();
      checkExpiry(envelope);
      return now();
    } catch (error) {
      if (!(error instanceof PeerUnreachableError)) throw error;
    }
    await sleep(Math.min(pauseMs, Math.max(0, lifeLeftMs(envelope))), signal);
  }
}

async function sendUntilTaken(
  { link }: Carrier,
  message: { readonly body: Uint8Array; readonly envelope: Envelope; readonly signal: AbortSignal },
): Promise<void> {
  const { body, envelope, signal } = message;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      if (isTaken(await link.post(PATHS.handoffs, body, signal), { cluster: link.peer.cluster, envelope }))
        return;
    } catch (error) {
      if (!(error instanceof PeerUnreachableError)) throw error;
    }
    await sleep(pauseMs, signal);
  }
}

const refusalSchema = z.object({ code: z.string().regex(/^[A-Z][A-Z0-9_]{0,60}$/) });

/** Returns true when the peer has the message, false when it should be sent again. */
function isTaken(
  { status, body }: PeerReply,
  { cluster, envelope }: { readonly cluster: string; readonly envelope: Envelope },
): boolean {
  if (status === 200) return true;
  if (status === 503) return false;
  const code = codeOf(body);
  if (status === 409) {
    if (code === "BRIDGE_TAKEN_FOREIGN") throw new CrossingForeignError(cluster);
    throw new CrossingUncertainError(cluster);
  }
  // Its bridge looks first whether it has the message: who refuses one has not taken it.
  checkExpiry(envelope);
  throw new PeerRefusedError(cluster, code);
}

function codeOf(body: Buffer): string {
  try {
    return refusalSchema.parse(JSON.parse(body.toString())).code;
  } catch {
    return "BRIDGE_REPLY_WITHOUT_CODE";
  }
}

function lifeLeftMs({ meta }: Envelope): number {
  return meta.expires_at === null ? Infinity : Date.parse(meta.expires_at) - now();
}

function checkExpiry(envelope: Envelope): void {
  if (lifeLeftMs(envelope) <= 0) throw new ExpiredError(envelope.meta.expires_at ?? "");
}
