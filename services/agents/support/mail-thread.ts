import { z } from "zod";
import type { Conversation } from "#shared/envelope";

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
export type MailThread = z.output<typeof thread>;

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
export function readThread({ metadata }: Pick<Conversation, "metadata">): MailThread | null {
  return thread.safeParse(metadata[THREAD_FIELD]).data ?? null;
}
