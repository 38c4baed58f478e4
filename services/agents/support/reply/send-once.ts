import type { Context, Transitions } from "#shared/runtime";
import { readThread } from "../mail-thread.ts";
import type { Outside } from "../outside/ports.ts";

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
  const thread = readThread(ctx.envelope.conversation);
  const mail = thread === null ? null : openMail();
  if (thread === null || mail === null) return {};
  const letter = {
    to,
    subject: thread.subject === "" ? subject : replyTo(thread.subject),
    text: body,
    in_reply_to: thread.message_id,
    references: [...thread.references, thread.message_id],
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
