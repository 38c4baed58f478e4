import type { IncomingHttpHeaders } from "node:http";
import { GATEWAY_API } from "#shared/api";
import type { ApiScope } from "#shared/config";
import { AbsentError } from "#shared/http";
import type { Team } from "#shared/runtime";
import { NotFoundError } from "#shared/store";
import type { RunRecord } from "#shared/store/runs";
import type { GatewayCall } from "../operation.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";

/** One request to one team. */
export interface TeamCall extends Pick<
  GatewayCall,
  "gateway" | "caller" | "signal" | "mayStill" | "traceparent"
> {
  readonly request: { readonly headers: IncomingHttpHeaders };
  readonly team: Team;
  /** Address by which clients reach the gateway. */
  readonly origin: string;
}

/** Scopes of the protocol's methods that do more than read. */
export const SCOPES: ReadonlyMap<unknown, readonly ApiScope[]> = new Map([
  ["SendMessage", GATEWAY_API.submitTask.scopes],
  ["SendStreamingMessage", GATEWAY_API.submitTask.scopes],
  ["CancelTask", GATEWAY_API.cancelRun.scopes],
]);

/** Opens a request to a team. @throws {AbsentError} The caller has no such team. */
export function openTeam(call: Omit<TeamCall, "team">, name: string): TeamCall {
  const { gateway, caller } = call;
  const team = teamsFor(gateway, caller).find((one) => one.name === name);
  if (team === undefined) throw new AbsentError("team", "See /v1/teams for the teams there are.");
  return { ...call, team };
}

/** Returns a task of the call's team. One of another team is not at this address. @throws {NotFoundError} */
export async function findOwn({ gateway, caller, team }: TeamCall, id: string): Promise<RunRecord> {
  const record = await findRun(gateway, caller, id);
  if (record.team !== team.name) throw new NotFoundError("run", id);
  return record;
}
