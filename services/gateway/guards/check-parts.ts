import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { toIssues } from "#shared/contract";
import { RequestInvalidError } from "#shared/http";

/** Where the parts of a request begin, as JSON pointers. The body is the document that clients think of. */
const PLACES: Readonly<Record<string, string>> = {
  body: "",
  querystring: "/query",
  params: "/path",
  headers: "/headers",
};

/** Has fastify check the parts of requests with zod, and name every fault by its place. */
export const checkParts: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const under = PLACES[httpPart ?? "body"] ?? "";
  return (part: unknown) => {
    // Fastify passes null for a part that is not there; no part of ours may be a bare null.
    const parsed = schema.safeParse(part ?? undefined);
    return parsed.success
      ? { value: parsed.data }
      : { error: new RequestInvalidError(toIssues(parsed.error, under)) };
  };
};
