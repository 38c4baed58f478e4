import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { toIssues } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { DeclaredOperation } from "./operation.ts";

export interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Checks every part of a request against its schema, and names all faults at once. @throws {RequestInvalidError} */
export function checkParts(operation: DeclaredOperation, request: FastifyRequest): Parts {
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
