import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { now } from "#shared/clock";
import { Secret } from "#shared/config";
import { signWebhook } from "#shared/feedback";
import { lookupOutside, refusalOfAddress } from "#shared/http";
import type { PushBody } from "./push-forms.ts";
import type { PushTarget } from "./push-target.ts";

const TIMEOUT_MS = 10_000;

/**
 * Posts to a client's address. No redirect is followed, and no address that is inside is called. With a token the body
 * is signed as Standard Webhooks says.
 *
 * @param push.id - The same for every try.
 * @returns true when the address took it.
 */
export async function postPush(
  target: PushTarget,
  push: {
    readonly id: string;
    readonly content: PushBody;
    readonly allowed: ReadonlySet<string>;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  if (refusalOfAddress(target.url, push.allowed) !== null) return false;
  const url = new URL(target.url);
  const { contentType, body } = push.content;
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve) => {
    const sent = send(url, {
      method: "POST",
      headers: {
        "content-type": contentType,
        "user-agent": "suture",
        ...headersOf(target, push.id, body),
      },
      signal: AbortSignal.any([push.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(push.allowed.has(url.host) ? {} : { lookup: lookupOutside }),
    });
    sent.once("response", ({ statusCode = 0 }) => {
      // Its body is not read.
      sent.destroy();
      resolve(statusCode >= 200 && statusCode < 300);
    });
    sent.once("error", () => resolve(false));
    sent.end(body);
  });
}

function headersOf(
  { form, token, scheme, credentials }: PushTarget,
  id: string,
  body: string,
): Record<string, string> {
  const secret = new Secret(form === "run" ? token : `whsec_${Buffer.from(token).toString("base64")}`);
  return {
    // Also without a signature it is how a receiver knows what it has had before.
    ...(token === "" ? { "webhook-id": id } : signWebhook({ id, atMs: now(), body, secrets: [secret] })),
    ...(token === "" || form === "run" ? {} : { "x-a2a-notification-token": token }),
    ...(scheme === "" ? {} : { authorization: `${scheme} ${credentials}`.trim() }),
  };
}
