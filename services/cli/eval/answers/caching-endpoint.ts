import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { costOf } from "#shared/model";
import type { PriceTable } from "#shared/model";
import { AnswerFolder } from "./answer-folder.ts";

export interface CachingOptions {
  /** Base URL of the model endpoint that is asked for what is not kept, `/v1` included. */
  readonly endpoint: string;
  readonly folder: string;
  readonly prices: PriceTable;
  /** Bytes of one request and of one answer. Default 8 MiB. */
  readonly bytesMax?: number;
}

/** What answers came to so far. */
export interface CacheFigures {
  readonly answers: number;
  /** Of which came from the folder. */
  readonly hits: number;
  /** USD that the hits would have cost. */
  readonly saved: number;
}

export interface CachingEndpoint {
  /** Takes the place of the model endpoint's base URL. */
  readonly url: string;
  figures(): CacheFigures;
  close(): Promise<void>;
}

const BYTES_MAX = 8_388_608;
const TIMEOUT_MS = 600_000;

/** The part of a completion that says what it cost. */
const completionSchema = z.object({
  model: z.string(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
});

/**
 * A model endpoint on the loopback interface that answers from a folder what it has answered before, and passes the
 * rest on with the caller's own key. Only complete answers (status 200) are kept: a refusal is asked for again.
 */
export async function startCachingEndpoint(options: CachingOptions): Promise<CachingEndpoint> {
  const { prices, bytesMax = BYTES_MAX } = options;
  const endpoint = options.endpoint.replace(/\/$/, "");
  const folder = new AnswerFolder(options.folder, endpoint);
  const figures = { answers: 0, hits: 0, saved: 0 };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readBody(request, bytesMax);
    const path = request.url ?? "/";
    const place = folder.placeFor(`${path}\n${asked}`);
    const kept = folder.read(place);
    if (kept !== null) {
      figures.answers += 1;
      figures.hits += 1;
      figures.saved += priceOf(kept, prices);
      response.writeHead(200, { "content-type": "application/json" }).end(kept);
      return;
    }
    const leaving = new AbortController();
    response.once("close", () => leaving.abort());
    const reply = await fetch(`${endpoint}${path}`, {
      method: request.method ?? "POST",
      headers: {
        "content-type": "application/json",
        authorization: request.headers.authorization ?? "",
      },
      body: asked,
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await reply.text();
    if (reply.status === 200 && text.length <= bytesMax) {
      figures.answers += 1;
      folder.keep(place, text);
    }
    const headers = [...reply.headers].filter(
      ([name]) => PASSED_ON.has(name) || name.startsWith("x-ratelimit-"),
    );
    response.writeHead(reply.status, Object.fromEntries(headers)).end(text);
  }

  const server = createServer((request, response) => {
    // The caller sees a broken connection, as it would without us, and tries again.
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    figures: () => ({ ...figures }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Headers of an answer that a client acts on. */
const PASSED_ON = new Set(["content-type", "retry-after", "retry-after-ms"]);

async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) throw new RangeError(`a request of more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function priceOf(answer: string, prices: PriceTable): number {
  try {
    const { model, usage } = completionSchema.parse(JSON.parse(answer));
    return costOf(
      model,
      { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
      prices,
    );
  } catch {
    // An answer that does not say what it cost saved nothing that could be named.
    return 0;
  }
}
