import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refuseRequest } from "#shared/testing";
import { FIELDS } from "./dialect.ts";
import type { ChatRequest, Dialect, Failure, Reply } from "./dialect.ts";
import { has, speak } from "./speak.ts";
import type { Thought } from "./speak.ts";
import { streamAnswer } from "./stream-answer.ts";
import type { WrappedBody } from "./stream-answer.ts";

/** What a good model would say to a request. */
export type Think = (request: ChatRequest, headers: IncomingHttpHeaders) => Promise<Thought> | Thought;

/** An endpoint that speaks a dialect. */
export interface DialectEndpoint {
  /** Base URL, `/v1` included. */
  readonly url: string;
  /** Requests that were answered. */
  readonly answered: ChatRequest[];
  /** Refusals of what the dialect does not take. */
  readonly refused: Reply[];
  /** Requests that no provider takes: a fault of the client. */
  readonly faults: object[];
  /** What every request fails with; null for none. */
  failure: Failure | null;
  close(): Promise<void>;
}

/** Starts an endpoint on loopback that takes, ignores and refuses what its dialect does. @param think - Its model. */
export async function startDialect(dialect: Dialect, think: Think): Promise<DialectEndpoint> {
  const seen = {
    answered: [] as ChatRequest[],
    refused: [] as Reply[],
    faults: [] as object[],
    // Tests set it; without the words it would be null for good.
    failure: null as Failure | null,
  };
  const server = createServer((request, response) => {
    void reply(request)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });

  const prefixes = new Set<string>();

  /** Tokens of a first message that came before: from 1,024 on, in steps of 128, as OpenAI documents it. */
  function cachedOf({ messages: [first] }: ChatRequest): number {
    const text = JSON.stringify(first?.content ?? "");
    const tokens = Math.floor(text.length / 4 / 128) * 128;
    const isKnown = prefixes.has(text);
    prefixes.add(text);
    return isKnown && tokens >= 1024 ? tokens : 0;
  }

  async function reply(request: IncomingMessage): Promise<Reply> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body: unknown = JSON.parse(text);
    const fault = refuseRequest(body);
    if (fault !== null) {
      seen.faults.push(fault);
      return { status: 400, body: fault };
    }
    const failure = seen.failure === null ? null : dialect.failures[seen.failure];
    if (failure !== null) return failure;
    // Checked above.
    const asked = body as ChatRequest;
    const refusal = refusalOf(dialect, asked);
    if (refusal !== null) {
      seen.refused.push(refusal);
      return refusal;
    }
    seen.answered.push(asked);
    const said = speak(dialect, asked, await think(asked, request.headers), cachedOf(asked));
    const { headers } = dialect;
    const wrapped = dialect.wrap(said);
    if (asked.stream !== true || dialect.fields.stream === "ignores")
      return { status: 200, body: wrapped, ...(headers && { headers }) };
    // Every dialect writes a body of this form.
    const events = streamAnswer(wrapped as WrappedBody, asked, dialect.streamsUsage ?? false);
    return { status: 200, body: events, headers: { ...headers, "content-type": "text/event-stream" } };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return Object.assign(seen, {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function refusalOf(dialect: Dialect, request: ChatRequest): Reply | null {
  for (const field of FIELDS) {
    const treatment = dialect.fields[field];
    if (!has(request, field) || typeof treatment !== "function") continue;
    const refusal = treatment(request);
    if (refusal !== null) return refusal;
  }
  return null;
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
