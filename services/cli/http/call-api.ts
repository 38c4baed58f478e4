import createClient from "openapi-fetch";
import type { Client } from "openapi-fetch";
import type { operations, paths } from "#shared/api/client";
import { problemOf } from "#shared/client/problems";
import type { AnswerTo, Endpoint, Fields, JsonIn } from "./call.ts";
import { NothingRunsError } from "../errors.ts";

/** One service that commands talk to. */
export interface Api {
  readonly service: "gateway" | "console";
  readonly url: string;
  /** Bearer API key. */
  readonly key: string;
}

const TIMEOUT_MS = 30_000;

/** The JSON that an operation usually answers with. */
export type JsonOf<Id extends keyof operations> = JsonIn<operations[Id]["responses"]>;

/** An answer that is no refusal; `data` is missing from answers without content. */
interface Answered<Data> {
  readonly data?: Data | undefined;
}

/** Opens a client of the declared types, for `answerOf`; it throws problems. @param timeoutMs - Of each call. */
export function openClient(api: Api, timeoutMs = TIMEOUT_MS): Client<paths> {
  return createClient<paths>({
    baseUrl: api.url.replace(/\/$/, ""),
    headers: { authorization: `Bearer ${api.key}` },
    fetch: async (request) => {
      const reply = await send(api, request, timeoutMs);
      if (!reply.ok) throw await problemOf(reply, api.url);
      return reply;
    },
  });
}

/** Calls an operation by name. @param request - Parameters of the path, and fields of the query (GET) or body. */
export async function callEndpoint<E extends Endpoint>(
  api: Api,
  endpoint: E,
  { params, fields }: { readonly params: Readonly<Record<string, string>>; readonly fields: Fields },
): Promise<AnswerTo<E>> {
  const [method, path] = endpoint.split(" ");
  const isRead = method === "GET";
  const query = isRead ? { query: definedOf(fields) } : {};
  const sent: object & Fields = { params: { path: params, ...query }, ...(isRead ? {} : { body: fields }) };
  // The endpoint is one of the client's; the service checks its fields, and its answer, against the declarations.
  const call = openClient(api).request(method as "get", path as "/v1/agents", sent);
  return (await answerOf(call)) as AnswerTo<E>;
}

/** The JSON answer of a call. @throws {NothingRunsError | GatewayProblemError} No answer, or a problem. */
export async function answerOf<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const { data } = await call;
  // Without a refusal there is data; only an answer without content has none, and nobody reads that.
  return data as Data;
}

/** The members that have a value: a query names no others. */
export function definedOf<Query extends object>(
  query: Query,
): { [Name in keyof Query]: NonNullable<Query[Name]> } {
  // Safe to read: whoever sends it asks for nothing of what is missing.
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never;
}

async function send(api: Api, request: Request, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(request, {
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), request.signal]),
    });
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    throw new NothingRunsError(api.service, api.url, error);
  }
}
