import { z } from "zod";
import { followSignals, now, sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { ExpiredError } from "#shared/envelope";
import type { Envelope, SealedMessage } from "#shared/envelope";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { encodeCarried, routingOf } from "#shared/wire";
import { PATHS } from "./bridge.ts";
import { CrossingForeignError, CrossingUncertainError, PeerRefusedError } from "./errors.ts";
import { PeerUnreachableError } from "./errors.ts";
import type { PeerLink, PeerReply } from "./link/peer-link.ts";

/** How long one delivery tries before its message waits in the retry queue, in ms: others want their turn too. */
export const TRIES_MS = 15_000;

const PAUSE_MS = 50;
const PAUSE_MS_MAX = 2000;

/** What the proxy of one remote agent works with. */
export interface Carrier {
  readonly link: PeerLink;
  /** The cluster that keeps the run's record. */
  readonly homeOf: (runId: string) => Promise<string>;
  /** How long one delivery tries, in ms. */
  readonly triesMs: number;
}

/**
 * Hands one message over to the cluster its receiver lives in, and ends it here only when that cluster's Redis has it.
 *
 * Before it is sent for the first time that is written down, behind the fence. What was never sent expires here as any
 * message does. What may have arrived is for the other side to end: it is sent until that side says that it has it,
 * after its expiry too, because a message that was taken may be at work there.
 *
 * @throws {ExpiredError} It was never taken, and its time is over.
 * @throws {PeerUnreachableError | PeerRefusedError} Not now; it is tried again.
 * @throws {CrossingUncertainError | CrossingForeignError} A person has to look.
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

/** False: not now, and perhaps soon. */
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
