import type { FastifyReply } from "fastify";

export interface OpenAiError {
  readonly status: number;
  readonly type: "invalid_request_error" | "rate_limit_error" | "server_error";
  readonly code: string;
  readonly message: string;
}

/** Answers with an error the way OpenAI's endpoint writes one. */
export function sendOpenAiError(
  reply: FastifyReply,
  { status, type, code, message }: OpenAiError,
): FastifyReply {
  return reply.code(status).send({ error: { message, type, param: null, code } });
}
