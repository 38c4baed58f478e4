import { z } from "zod";
import type { Context, Transitions } from "#shared/runtime";
import type { Conversation } from "#shared/envelope";
import type { Outside } from "../outside/ports.ts";

/** Field of a conversation's `metadata` with the e-mail that a run answers. */
const THREAD_FIELD = "mail_thread";

/** `Message-ID` as RFC 5322 writes it, in angle brackets. */
export const messageId = z
  .string()
  .max(998)
  .regex(/^<[^<>\s]+>$/);

const REFERENCES_MAX = 50;

const thread = z.object({
  message_id: messageId,
  references: z.array(messageId).max(REFERENCES_MAX),
  subject: z.string().max(998),
});

/** The e-mail that an answer belongs to. */
type MailThread = z.output<typeof thread>;

interface Email {
  readonly subject: string;
  readonly message_id?: string | undefined;
  readonly references?: readonly string[] | undefined;
}

/**
 * Returns the conversation to hand on with the e-mail's ids in it, so that every agent down the line keeps them without
 * a field in its contract. An e-mail that came by another way than mail has no ids.
 */
export function keepThread(conversation: Conversation, email: Email): Conversation {
  const { message_id, references = [], subject } = email;
  if (message_id === undefined) return conversation;
  const kept: MailThread = { message_id, references: references.slice(-REFERENCES_MAX), subject };
  return { ...conversation, metadata: { ...conversation.metadata, [THREAD_FIELD]: kept } };
}

/** Returns the e-mail that a run answers; null for a task that is no mail. */
function readThread({ metadata }: Pick<Conversation, "metadata">): MailThread | null {
  return thread.safeParse(metadata[THREAD_FIELD]).data ?? null;
}

interface Answer {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/**
 * Sends the answer to a task that came by mail, once, in the mail's thread; returns its `Message-ID` as the field
 * `mailed` of the result. Nothing for a task that came another way: its client sends the answer.
 */
export async function sendOnce<To extends Transitions>(
  ctx: Context<To>,
  { to, subject, body }: Answer,
  openMail: Outside["mail"],
): Promise<{ mailed?: string }> {
  const answers = readThread(ctx.envelope.conversation);
  const mail = answers === null ? null : openMail();
  if (answers === null || mail === null) return {};
  const letter = {
    to,
    subject: answers.subject === "" ? subject : replyTo(answers.subject),
    text: body,
    in_reply_to: answers.message_id,
    references: [...answers.references, answers.message_id],
  };
  // SMTP cannot be asked what it has sent, so nothing is reconciled: after a crash a person looks for the Message-ID.
  const { message_id } = await ctx.once(`mail:${ctx.envelope.meta.run_id}`, (key, signal) =>
    mail.send(letter, key, signal),
  );
  return { mailed: message_id };
}

/** `Re:` once, in front of what the customer wrote. */
function replyTo(subject: string): string {
  return /^re:/i.test(subject.trim()) ? subject.trim() : `Re: ${subject.trim()}`;
}
