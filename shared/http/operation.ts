import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";

/** One request on its way to its operation: its parts checked, and beside them what its service adds (`Around`). */
export type Call<Around, Params = unknown, Query = unknown, Body = unknown> = Around & {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client is gone or the service stops. */
  readonly signal: AbortSignal;
};

/** One thing a service can do. `Facts` is what this service says of each: who may call it, how it is answered. */
export type Operation<
  Facts,
  Around,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> = Facts & {
  /** camelCase, unique. */
  readonly id: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Absent: the operation takes no body. */
  readonly body?: Body;
  readonly handle: (
    call: Call<Around, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<unknown>;
};

/** An operation whose parts are no longer told apart by type: what a table of them holds. */
export type AnyOperation<Facts, Around> = Omit<Operation<Facts, Around>, "handle"> & {
  readonly handle: (call: Call<Around>) => Promise<unknown>;
};

/** One row of a service's table: where an operation is found. `:name` stands for one part of the path. */
export interface Route<Facts, Around> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly operation: AnyOperation<Facts, Around>;
}

/**
 * How one service declares its operations; each handler gets the types of its own schemas.
 *
 * @example const operation = declareOperations<{ scopes: readonly ApiScope[] }, { gateway: Gateway }>();
 */
export function declareOperations<Facts, Around>() {
  return <
    Params extends z.ZodType = z.ZodUndefined,
    Query extends z.ZodType = z.ZodUndefined,
    Body extends z.ZodType = z.ZodUndefined,
  >(
    declared: Operation<Facts, Around, Params, Query, Body>,
  ): AnyOperation<Facts, Around> =>
    // Safe: the service hands over what these same schemas gave, and undefined where there is none.
    declared as unknown as AnyOperation<Facts, Around>;
}
