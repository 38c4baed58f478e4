import { isDeepStrictEqual } from "node:util";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { toIssues } from "#shared/contract";
import { defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { DeclaredOperation } from "./operation.ts";

/** A service answered with something else than its declaration says. */
class AnswerUndeclaredError extends defineError((id: string, status: number, fault: string) => ({
  code: "ANSWER_UNDECLARED",
  failureClass: "handler_error",
  message: `${id} answered ${status} with ${fault}.`,
  remedy: "Correct the handler, or the operation's declaration in shared/api.",
})) {}

/** Checks every part of a request against its schema, and names all faults at once. @throws {RequestInvalidError} */
export function checkParts(
  operation: Pick<DeclaredOperation, "params" | "query" | "body">,
  request: FastifyRequest,
): Record<"params" | "query" | "body", unknown> {
  const issues: Issue[] = [];
  const check = (schema: z.ZodType | undefined, value: unknown, under: string): unknown => {
    if (schema === undefined) return undefined;
    // No part of ours may be a bare null: it is the part that is not there.
    const parsed = schema.safeParse(value ?? undefined);
    if (!parsed.success) issues.push(...toIssues(parsed.error, under));
    return parsed.data;
  };
  const parts = {
    params: check(operation.params, request.params, "/path"),
    query: check(operation.query, request.query, "/query"),
    body: check(operation.body, request.body, ""),
  };
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return parts;
}

/** Of an answer in a warning. */
const TEXT_CHARS_MAX = 2000;

interface Answered {
  readonly status: number;
  readonly answer: unknown;
}

type Answering = Pick<DeclaredOperation, "answers"> & { readonly id: string };

/**
 * Compares an answer with its declaration, for tests: what is undeclared is a warning with the operation's name, and a
 * 500. @throws {AnswerUndeclaredError}
 */
export function checkAnswer(operation: Answering, { status, answer }: Answered): void {
  // As clients read it: without members that are undefined.
  const text = JSON.stringify(answer);
  const read: unknown = text === undefined ? undefined : JSON.parse(text);
  try {
    if (isDeepStrictEqual(keepDeclared(operation, { status, answer: read }), read)) return;
    const more = `more than it declares: ${text?.slice(0, TEXT_CHARS_MAX)}`;
    throw new AnswerUndeclaredError(operation.id, status, more);
  } catch (error) {
    // The client is told no more than that there was a fault.
    if (error instanceof Error) process.emitWarning(error);
    throw error;
  }
}

/** Drops undeclared fields from an answer. @throws {AnswerUndeclaredError} Its status or form is not declared. */
export function keepDeclared({ id, answers }: Answering, { status, answer }: Answered): unknown {
  const declared = answers[status];
  if (declared === undefined) throw new AnswerUndeclaredError(id, status, "a status that is not declared");
  if (declared === null || typeof declared === "string") return answer;
  const parsed = declared.safeParse(answer);
  if (!parsed.success) throw new AnswerUndeclaredError(id, status, z.prettifyError(parsed.error));
  return parsed.data;
}
