import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { digestOfKey, refusalOfAddress, RequestInvalidError, UnauthorisedError } from "#shared/http";
import { readJson } from "#shared/store";
import type { Gateway, Handler } from "../gateway.ts";

const webhookSchema = z.object({
  url: z.string(),
  /** Signs what is sent, as Standard Webhooks says; empty: none. */
  token: z.string(),
  /** SHA-256 of the secret of the key that asked for it: what is posted is what that key sees then. */
  key: z.string(),
  /** Status of the run that was posted; null: none. */
  told: z.string().nullable(),
  failures: z.number(),
});

/** A task's own webhook, as the run's record keeps it. */
export type TaskWebhook = z.output<typeof webhookSchema>;

/** Returns the webhook that a task asks for, as JSON text. @throws {RequestInvalidError} */
export function toWebhook(
  gateway: Gateway,
  request: FastifyRequest,
  { url, secret = "" }: NonNullable<Parameters<Handler<"submitTask">>[0]["body"]["webhook"]>,
): string {
  const refusal = refusalOfAddress(url, gateway.pushHosts);
  if (refusal !== null)
    throw new RequestInvalidError([{ path: "/webhook/url", code: "not_allowed", message: refusal }]);
  const key = digestOfKey(request.headers.authorization);
  if (key === null) throw new UnauthorisedError();
  const webhook: TaskWebhook = { url, token: secret, key, told: null, failures: 0 };
  return JSON.stringify(webhook);
}

/** Undefined for what cannot be read, such as one that a later release wrote. */
export function readWebhook(text: string): TaskWebhook | undefined {
  return webhookSchema.safeParse(readJson(text)).data;
}
