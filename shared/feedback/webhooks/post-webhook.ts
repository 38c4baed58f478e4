import { followSignals, now } from "#shared/clock";
import type { WebhookReceiver } from "#shared/config";
import { redactValue } from "#shared/guard";
import type { Notice } from "#shared/store/feedback";
import { WebhookNotTakenError } from "../errors.ts";
import { signWebhook } from "./sign-webhook.ts";

/**
 * Posts one signed notice. Resolves on a 2xx response, whose body is not read.
 * @throws {WebhookNotTakenError} Another status, a redirect, a timeout, or the signal.
 */
export async function postWebhook(
  notice: Notice,
  sending: { readonly receiver: WebhookReceiver; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const { receiver, timeoutMs } = sending;
  const { id, type, at, data } = notice;
  // `data` is our own JSON text, but contains producer names chosen by others.
  const payload = receiver.redact ? JSON.stringify(redactValue(JSON.parse(data)).value) : data;
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${payload}}`;
  const url = receiver.url.reveal();
  const { signal, abort, letGo } = followSignals([sending.signal]);
  const timer = setTimeout(() => abort(new Error("no answer in time")), timeoutMs);
  const origin = new URL(url).origin;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "suture",
        ...signWebhook({ id, atMs: now(), body, secret: receiver.secret }),
      },
      body,
      redirect: "manual",
      signal,
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new WebhookNotTakenError({ origin, status: answer.status });
  } catch (error) {
    if (error instanceof WebhookNotTakenError) throw error;
    throw new WebhookNotTakenError({ origin, status: null }, error);
  } finally {
    clearTimeout(timer);
    letGo();
  }
}
