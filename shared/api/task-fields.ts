import { z } from "zod";
import { webhookSecretField } from "#shared/config";

/** Bounds of what a client may bring along, well within those of the envelope. */
const MESSAGES_MAX = 100;
const MESSAGE_CHARS_MAX = 20_000;
const CALLS_MAX = 20;

const word = z.string().min(1).max(128);

const openCallField = z.strictObject({
  call_id: word,
  tool: word,
  arguments: z.record(z.string(), z.unknown()),
});

/**
 * A conversation that a task continues. It holds what was said and which calls are open, and nothing that only the
 * system may say: no system messages, no decisions on calls, no metadata.
 */
export const conversationField = z
  .strictObject({
    history: z
      .array(
        z.strictObject({
          role: z.enum(["user", "assistant", "tool"]),
          content: z.string().max(MESSAGE_CHARS_MAX),
          name: word.exactOptional(),
          tool_call_id: word.exactOptional(),
        }),
      )
      .max(MESSAGES_MAX)
      .default([]),
    tool_state: z
      .strictObject({
        active_calls: z.array(openCallField).max(CALLS_MAX).default([]),
        pending_approvals: z.array(openCallField).max(CALLS_MAX).default([]),
      })
      .prefault({}),
  })
  .meta({
    description:
      "Turns before the task, and tool calls that its first agent continues. A call that changes something waits for a person's approval, whatever list it stands in.",
  });

const URL_CHARS_MAX = 2000;

/** The address that a task's end is told to, and the secret that signs what is sent. */
export const webhookField = z
  .strictObject({
    url: z.string().max(URL_CHARS_MAX).meta({ description: "Public and https." }),
    secret: webhookSecretField
      .meta({ description: "Signs it as Standard Webhooks says. Default: it is not signed." })
      .exactOptional(),
  })
  .meta({
    description:
      "An address that is told when the run has ended, at least once: a CloudEvent whose data is the run as the key that submits it may see it.",
  });
