import { followSignals, now } from "#shared/clock";
import type { WebhookReceiver } from "#shared/config";
import { redactValue } from "#shared/guard";
import { CLOUD_EVENT_TYPE, toCloudEvent } from "#shared/http";
import type { Notice } from "#shared/store/feedback";
import { WebhookNotTakenError } from "../errors.ts";
import { signWebhook } from "./sign-webhook.ts";

/**
 * Posts one signed notice. Resolves on a 2xx response, whose body is not read.
 * @throws {WebhookNotTakenError} Another status, a redirect, a timeout, or the signal.
 */
export async function postWebhook(
  notice: Notice,
  sending: {
    readonly receiver: WebhookReceiver;
    /** `source` of CloudEvents. */
    readonly source: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { receiver, timeoutMs } = sending;
  const { id } = notice;
  const { contentType, body } = writeBody(notice, receiver, sending.source);
  const url = receiver.url.reveal();
  const { signal, abort, letGo } = followSignals([sending.signal]);
  const timer = setTimeout(() => abort(new Error("no answer in time")), timeoutMs);
  const origin = new URL(url).origin;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": contentType,
        "user-agent": "suture",
        ...signWebhook({ id, atMs: now(), body, secrets: receiver.secrets }),
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

function writeBody(
  { id, type, at, data: text }: Notice,
  { redact, format }: WebhookReceiver,
  source: string,
): { readonly contentType: string; readonly body: string } {
  const own: unknown = JSON.parse(text);
  // `data` is our own, but contains producer names chosen by others.
  const data = redact ? redactValue(own).value : own;
  if (format === "standard")
    return { contentType: "application/json", body: JSON.stringify({ type, timestamp: at, data }) };
  const event = toCloudEvent({ id, source, type, time: at, data });
  return { contentType: CLOUD_EVENT_TYPE, body: JSON.stringify(event) };
}
