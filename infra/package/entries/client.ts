import createFetchClient from "openapi-fetch";
import type { Client } from "openapi-fetch";
import type { paths } from "#shared/api/client";

export type { operations, paths } from "#shared/api/client";

export interface ClientOptions {
  /** Address of the gateway, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** API key, sent as a bearer token. Default: none. */
  readonly apiKey?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client of the gateway's HTTP API whose requests and answers are typed by the API's description. */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client<paths> {
  return createFetchClient<paths>({
    baseUrl,
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}
