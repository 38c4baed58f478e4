import { z } from "zod";
import { deliverySchema, noticeReceiverSchema } from "#shared/store/feedback";
import { ADMINS, idField, OPERATORS, whyBody } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

export const WEBHOOKS = {
  listWebhooks: {
    ...get("/v1/webhooks", OPERATORS),
    summary: "List the receivers of webhooks that the surgeon has, with their last deliveries and what waits",
    answers: {
      200: z.object({
        dropped: z.int().meta({ description: "Notices dropped so far because a receiver's queue was full." }),
        receivers: z.array(
          noticeReceiverSchema.extend({
            waiting: z.int(),
            next: z.array(
              z.object({ id: z.string(), type: z.string(), attempts: z.int(), due_ms: z.number() }),
            ),
            deliveries: z.array(deliverySchema),
          }),
        ),
      }),
    },
  },
  testWebhook: {
    ...post("/v1/webhooks/:receiver/test", ADMINS, "webhook.test"),
    summary: "Have the surgeon send one test event to a receiver, once, and say whether it was taken",
    params: z.object({ receiver: idField }),
    body: whyBody.omit({ version: true }),
    answers: {
      200: z.object({
        delivery: deliverySchema.nullable().meta({ description: "Null: no surgeon sent it in time." }),
      }),
    },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;
