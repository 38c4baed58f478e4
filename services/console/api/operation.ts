import type { Call as AnyCall, ConsoleApi, HandlerOf, Route as AnyRoute } from "#shared/api";
import type { Console } from "../console.ts";
import type { Caller, Role } from "./guards/role.ts";

/** What the console adds to a call: the request is authorised. */
export interface Around {
  readonly console: Console;
  /** On operations that are open to anyone: somebody without a name and a role that may nothing. */
  readonly caller: Caller;
}

/** Carries out one operation as `shared/api` declares it; one file each in `operations/`, or one for a pair. */
export type Handler<Id extends keyof ConsoleApi> = HandlerOf<ConsoleApi[Id], Around>;

/** A call whose parts are no longer told apart by type. */
export type Call = AnyCall<Around>;

/** One row of the table, with the least role that may call it; null: anyone. */
export interface Route extends AnyRoute<Around> {
  readonly role: Role | null;
}
