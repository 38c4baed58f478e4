import type { ApiScope } from "#shared/config";
import type { Team } from "#shared/runtime";
import type { GatewayCall } from "../operation.ts";

/** One request to one team. */
export interface TeamCall extends Pick<
  GatewayCall,
  "gateway" | "caller" | "signal" | "mayStill" | "request" | "traceparent"
> {
  readonly team: Team;
  /** Address by which clients reach the gateway. */
  readonly origin: string;
  /** @throws {ForbiddenError} The caller's key has none of these scopes. */
  readonly requireScope: (scopes: readonly ApiScope[]) => void;
}
