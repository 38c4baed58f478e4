import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { ApiKey, ApiScope } from "#shared/config";
import type { Gateway } from "./gateway.ts";

/** One request on its way to its operation: checked, authorised and traced. */
export interface Call<Params, Query, Body> {
  readonly gateway: Gateway;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Whose key it came with. Null only where `scopes` is null. */
  readonly caller: ApiKey | null;
  /** W3C trace context of this request's span. */
  readonly traceparent: string;
  /** Aborted when the client is gone or the gateway stops. */
  readonly signal: AbortSignal;
}

/** One thing the gateway can do; one file each in `operations/`, one row in `routes.ts`. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  /** camelCase, unique: OpenAPI's operationId. */
  readonly id: string;
  readonly summary: string;
  /** Scopes that may call it; null: anyone, with no key. */
  readonly scopes: readonly ApiScope[] | null;
  readonly params?: Params;
  readonly query?: Query;
  /** Absent: the operation takes no body. */
  readonly body?: Body;
  /** The answer that is not a problem. */
  readonly status: number;
  /** Absent: the answer is not JSON, or a document of its own. */
  readonly answers?: z.ZodType;
  /** Default `json`. `stream`: the body is whatever type it says and is handed on unread. */
  readonly takes?: "json" | "stream";
  readonly handle: (call: Call<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

/** An operation whose parts are no longer told apart by type: what `routes.ts` holds. */
export type AnyOperation = Omit<Operation, "handle"> & {
  readonly handle: (call: Call<unknown, unknown, unknown>) => Promise<unknown>;
};

/**
 * Declares an operation; its handler gets the types of its schemas.
 *
 * @param declared - See {@link Operation}.
 */
export function operation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Operation<Params, Query, Body>): AnyOperation {
  // Safe: the server hands over what these same schemas gave, and undefined where there is none.
  return declared as unknown as AnyOperation;
}

/** Everybody with a key may look. */
export const READERS: readonly ApiScope[] = ["viewer", "submit", "operator", "admin"];

/** Who may start runs. */
export const SUBMITTERS: readonly ApiScope[] = ["submit", "operator", "admin"];

/** Who may act on runs of others. */
export const OPERATORS: readonly ApiScope[] = ["operator", "admin"];
