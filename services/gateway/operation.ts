import type { Call, GatewayApi, HandlerOf, Route } from "#shared/api";
import type { KeyHolder } from "#shared/config";
import type { Gateway } from "./gateway.ts";

/** What the gateway adds to a call: the request is authorised and traced. */
export interface Around {
  readonly gateway: Gateway;
  /** Whose key it came with. Null only where `scopes` is null. */
  readonly caller: KeyHolder | null;
  /** Whether the key may still do this: it may be revoked while an answer waits. */
  readonly mayStill: () => boolean;
  /** W3C trace context of this request's span. */
  readonly traceparent: string;
}

/** Carries out one operation as `shared/api` declares it; one file each in `operations/`. */
export type Handler<Id extends keyof GatewayApi> = HandlerOf<GatewayApi[Id], Around>;

/** A call whose parts are no longer told apart by type. */
export type GatewayCall = Call<Around>;

export type GatewayRoute = Route<Around>;
