import type { IncomingHttpHeaders } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { A2A_VERSION_HEADER, HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import { defaultServerCallContextBuilder } from "@a2a-js/sdk/server";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { FastifyRequest } from "fastify";
import { GATEWAY_API } from "#shared/api";
import type { ApiScope } from "#shared/config";
import { AbsentError } from "#shared/http";
import type { Team } from "#shared/runtime";
import { NotFoundError } from "#shared/store";
import type { RunRecord } from "#shared/store/runs";
import type { GatewayCall } from "../gateway.ts";
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

/** Returns the SDK's context of a request. Caller and tenant are those of the key, not what the request says. */
export function contextOf({ headers }: FastifyRequest): ServerCallContext {
  const version = headers[A2A_VERSION_HEADER.toLowerCase()];
  const wanted = headers[HTTP_EXTENSION_HEADER.toLowerCase()];
  return defaultServerCallContextBuilder({
    extensions: typeof wanted === "string" ? wanted.split(",").map((uri) => uri.trim()) : undefined,
    user: undefined,
    headers: {},
    ...(typeof version === "string" ? { requestedVersion: version } : {}),
  });
}

/** The exact forms: a name such as `127.0.0.1.example.org` leads elsewhere. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Returns scheme and host of a gateway without a public address: the `Host` header where it names the loopback, so that
 * no card holds another's address, else the address and port that the request came to.
 */
export function originOf({ protocol, host, socket }: FastifyRequest): string {
  const name = LOOPBACK.exec(host)?.[1];
  if (name !== undefined && (isIPv4(name) || !/^\d/.test(name))) return `${protocol}://${host.toLowerCase()}`;
  const { localAddress = "localhost", localPort = 0 } = socket;
  // A socket that takes both families names an IPv4 address as `::ffff:10.0.0.5`.
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return `${protocol}://${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
}
