import { z } from "zod";
import { webhookSecretField } from "#shared/config";

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
