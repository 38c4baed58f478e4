import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Console } from "../console.ts";
import type { Caller, Role } from "./guards/role.ts";

/** One request on its way to its operation: checked and authorised. */
export interface Call<Params, Query, Body> {
  readonly console: Console;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** On operations that are open to anyone: somebody without a name and a role that may nothing. */
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client is gone or the console stops. */
  readonly signal: AbortSignal;
}

/** One thing the console can do; one file each in `operations/`, one row in `routes.ts`. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  /** camelCase, unique. */
  readonly id: string;
  /** The least role that may call it; null: anyone. */
  readonly role: Role | null;
  /**
   * Set where it changes something: what it is called in the record of what people did, which is written before it is
   * done. Without a key to sign that, it is refused.
   */
  readonly audit?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Absent: the operation takes no body, and reads none. */
  readonly body?: Body;
  /** Status of the answer that is no problem. Default 200. */
  readonly status?: number;
  readonly handle: (call: Call<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

/** An operation whose parts are no longer told apart by type: what `routes.ts` holds. */
export type AnyOperation = Omit<Operation, "handle"> & {
  readonly handle: (call: Call<unknown, unknown, unknown>) => Promise<unknown>;
};

/** Declares an operation; its handler gets the types of its schemas. */
export function operation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Operation<Params, Query, Body>): AnyOperation {
  // Safe: `registerRoutes` hands over what these same schemas gave, and undefined where there is none.
  return declared as unknown as AnyOperation;
}
