import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface ListenAt {
  readonly host: string;
  readonly port: number;
}

const ANY_PORT: ListenAt = { host: "127.0.0.1", port: 0 };

async function listen(server: Server | HttpServer, at = ANY_PORT) {
  await new Promise<void>((resolve) => server.listen(at, resolve));
  // A server that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  };
  return { port, close };
}

/** Has a server listen on a free port of the loopback until the test has finished. @returns The port. */
export async function listenLocally(server: Server | HttpServer): Promise<number> {
  const { port, close } = await listen(server);
  onTestFinished(close);
  return port;
}

/** Answers a request whose body has been read to its end. What it throws breaks the connection off. */
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** Starts an HTTP server, by default on a free port of the loopback. @returns Its address, and what stops it. */
export async function openHttp(
  answer: Answer,
  at = ANY_PORT,
): Promise<{ readonly url: string; close: () => void }> {
  const answerWhole = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await answer(request, response, await text(request));
  };
  const { port, close } = await listen(
    createServer((request, response) => {
      answerWhole(request, response).catch(() => response.destroy());
    }),
    at,
  );
  return { url: `http://${at.host}:${port}`, close };
}

/** The same until the test has finished. @returns Its address. */
export async function serveHttp(answer: Answer): Promise<string> {
  const { url, close } = await openHttp(answer);
  onTestFinished(close);
  return url;
}

/** A request that a receiver answered with a 2xx. */
export interface Post<Body> {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

/** Starts a receiver of webhooks, until the test has finished. @param read - Reads a body. */
export async function startReceiver<Body>(read: (text: string) => Body) {
  const posts: Post<Body>[] = [];
  /** Statuses of its answers, in order; afterwards 204. */
  const answers: (number | "never")[] = [];
  const url = await serveHttp(({ headers }, response, sent) => {
    const status = answers.shift() ?? 204;
    if (status === "never") return;
    // A request that it refuses does not count.
    if (status < 300) posts.push({ headers, text: sent, body: read(sent) });
    response.writeHead(status, [302, 307].includes(status) ? { location: "/elsewhere" } : {}).end();
  });
  return { url: `${url}/hook`, host: new URL(url).host, posts, answers };
}
