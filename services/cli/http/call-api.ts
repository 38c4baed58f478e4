import { z } from "zod";
import { NothingRunsError, RequestRefusedError } from "../errors.ts";

/** One service that commands talk to. */
export interface Api {
  readonly service: "gateway" | "console";
  readonly url: string;
  /** Bearer API key. */
  readonly key: string;
}

export interface ApiRequest {
  readonly method?: "GET" | "POST";
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. Default: no body. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body. Default: none. */
  readonly content?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 30,000 ms. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;
const PLACES_MAX = 10;

/** RFC 9457, as far as a command shows it. */
const problemSchema = z.object({
  title: z.string().default("The request was refused"),
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string().default(""), message: z.string().default("") })).default([]),
});

/**
 * Asks a service and gives its JSON answer.
 *
 * @throws {NothingRunsError} Nobody answers, or not in time.
 * @throws {RequestRefusedError} The service answers with a problem.
 */
export async function callApi(api: Api, request: ApiRequest): Promise<unknown> {
  const reply = await openApi(api, request);
  const text = await reply.text().catch(() => "");
  return text === "" ? null : parse(text);
}

/** As `callApi`, with the answer unread; for streams. */
export async function openApi(api: Api, request: ApiRequest): Promise<Response> {
  const reply = await send(api, request);
  if (reply.ok) return reply;
  const problem = problemSchema.safeParse(parse(await reply.text().catch(() => "")));
  const { title, detail, errors } = problem.success
    ? problem.data
    : { title: `HTTP ${reply.status}`, detail: undefined, errors: [] };
  throw new RequestRefusedError({
    status: reply.status,
    message: sentence(detail ?? title),
    places: errors.slice(0, PLACES_MAX).map(({ pointer, message }) => `${pointer || "/"}: ${message}`),
  });
}

async function send(api: Api, request: ApiRequest): Promise<Response> {
  const timeout = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS);
  try {
    return await fetch(addressOf(api, request), {
      method: request.method ?? "GET",
      headers: {
        authorization: `Bearer ${api.key}`,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...bodyOf(request),
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
    });
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    throw new NothingRunsError(api.service, api.url, error);
  }
}

function bodyOf({ body, content }: ApiRequest): { readonly body?: string | Uint8Array<ArrayBuffer> } {
  if (content !== undefined) return { body: content };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function addressOf(api: Api, { path, query = {} }: ApiRequest): URL {
  const url = new URL(path, api.url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
