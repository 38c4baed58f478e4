import { Readable } from "node:stream";
import type { Secret } from "#shared/config";
import { loadPackage } from "#shared/errors";
import { OutsideUnavailableError } from "#shared/http/outside";
import { MailRefusedError, MailUncertainError } from "../errors.ts";
import type { LetterDraft, MailPort } from "./ports.ts";

/** The server that answers are sent through. */
export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: Secret;
  /** Address that answers are sent from. */
  readonly from: string;
}

/** Time limits of one letter, in ms: for the connection, the server's greeting, and silence in between. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * Sends answers by SMTP. Asked for its settings at each letter; null while there are none. One letter has one
 * `Message-ID`, whatever attempt sends it, and says of itself that a program wrote it (RFC 3834).
 */
export function createSmtpMail(settings: () => SmtpSettings | null): () => MailPort | null {
  return () => {
    const found = settings();
    return found === null
      ? null
      : { send: (letter, key, signal) => send(letter, { key, signal, settings: found }) };
  };
}

interface Sending {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly settings: SmtpSettings;
}

/** Returns the `Message-ID` of the letter with an idempotency key. */
export function messageIdOf(key: string, from: string): string {
  return `<${key}@${from.split("@").at(-1) ?? "localhost"}>`;
}

async function send(
  { to, subject, text, in_reply_to, references }: LetterDraft,
  { key, signal, settings: { url, from } }: Sending,
): Promise<{ readonly message_id: string }> {
  const messageId = messageIdOf(key, from);
  const { createTransport } = await loadPackage(["nodemailer"], () => import("nodemailer"));
  const transport = createTransport({
    url: url.reveal(),
    // So that no password crosses a network in clear.
    requireTLS: !["127.0.0.1", "localhost", "[::1]"].includes(new URL(url.reveal()).hostname),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let isBegun = false;
  // Read once the server has let us in: until then nothing of the letter can have arrived.
  const body = Readable.from(
    (function* (): Generator<string> {
      isBegun = true;
      yield text;
    })(),
  );
  try {
    await transport.sendMail({
      from,
      to: { name: "", address: to },
      subject,
      text: body,
      messageId,
      inReplyTo: in_reply_to,
      references: [...references],
      headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
      signal,
    });
    return { message_id: messageId };
  } catch (error) {
    signal.throwIfAborted();
    throw classify(error, { messageId, isBegun });
  } finally {
    transport.close();
  }
}

/** A refusal with a code is definite, and so is a failure before the letter was begun. */
function classify(error: unknown, letter: { readonly messageId: string; readonly isBegun: boolean }): Error {
  const status: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : undefined;
  if (typeof status === "number" && status >= 500) return new MailRefusedError(status);
  if (typeof status === "number" && status >= 400)
    return new OutsideUnavailableError("mail", `answered with ${status}`);
  return letter.isBegun
    ? new MailUncertainError(letter.messageId)
    : new OutsideUnavailableError("mail", undefined, error);
}
