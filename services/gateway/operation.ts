import type { z } from "zod";
import type { ApiScope, KeyHolder } from "#shared/config";
import { declareOperations } from "#shared/http";
import type { Call, Route } from "#shared/http";
import type { Gateway } from "./gateway.ts";

/** What the gateway adds to a call: the request is authorised and traced. */
interface Around {
  readonly gateway: Gateway;
  /** Whose key it came with. Null only where `scopes` is null. */
  readonly caller: KeyHolder | null;
  /** Whether the key may still do this: it may be revoked while an answer waits. */
  readonly mayStill: () => boolean;
  /** W3C trace context of this request's span. */
  readonly traceparent: string;
}

/** What the gateway says of each operation beside its parts; its `id` is OpenAPI's operationId. */
interface Facts {
  readonly summary: string;
  /** Scopes that may call it; null: anyone, with no key. */
  readonly scopes: readonly ApiScope[] | null;
  /** The answer that is not a problem. */
  readonly status: number;
  /** Absent: the answer is not JSON, or a document of its own. */
  readonly answers?: z.ZodType;
  /** Default `json`. `stream`: the body is whatever type it says and is handed on unread. */
  readonly takes?: "json" | "stream";
}

/** A call whose parts are no longer told apart by type. */
export type GatewayCall = Call<Around>;

export type GatewayRoute = Route<Facts, Around>;

/** Declares one thing the gateway can do; one file each in `operations/`, one row in `routes.ts`. */
export const operation = declareOperations<Facts, Around>();

/** Everybody with a key may look. */
export const READERS: readonly ApiScope[] = ["viewer", "submit", "operator", "admin"];

/** Who may start runs. */
export const SUBMITTERS: readonly ApiScope[] = ["submit", "operator", "admin"];

/** Who may act on runs of others. */
export const OPERATORS: readonly ApiScope[] = ["operator", "admin"];
