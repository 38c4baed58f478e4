import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { listenLocally } from "#shared/testing";

/** A request that a receiver answered with a 2xx. */
export interface Post<Body> {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

/** A server of a client that webhooks are posted to, until the test ends. */
export interface Receiver<Body> {
  readonly url: string;
  readonly host: string;
  /** Requests that it answered with a 2xx, oldest first. */
  readonly posts: Post<Body>[];
  /** Statuses of its answers, in order; afterwards 204. */
  readonly answers: number[];
}

/** Starts a receiver on this machine. @param read - Reads a body. */
export async function startReceiver<Body>(read: (text: string) => Body): Promise<Receiver<Body>> {
  const receiver: Omit<Receiver<Body>, "url" | "host"> = {
    posts: [],
    answers: [],
  };
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const status = receiver.answers.shift() ?? 204;
      const body = read(text);
      if (status < 300) receiver.posts.push({ headers: request.headers, text, body });
      response.writeHead(status, status === 307 ? { location: "/elsewhere" } : {}).end();
    })();
  });
  const host = `127.0.0.1:${await listenLocally(server)}`;
  return Object.assign(receiver, { url: `http://${host}/hook`, host });
}
