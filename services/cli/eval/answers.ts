import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { costOf } from "#shared/model";
import type { PriceTable } from "#shared/model";
import { readSecret, writeSecret } from "../launcher/secret-file.ts";

export type CachingEndpoint = Awaited<ReturnType<typeof startCachingEndpoint>>;

const TIMEOUT_MS = 600_000;
/** Headers of an answer that a client acts on. */
const PASSED_ON = /^(?:content-type|retry-after|retry-after-ms|x-ratelimit-.*)$/;

/**
 * A model endpoint on the loopback interface that answers from a folder what it has answered before, and passes the
 * rest on with the caller's own key. Only complete answers (status 200) are kept: a refusal is asked for again. The
 * folder has a file each, by endpoint and whole request, and no key. A request that is asked several times (votes of an
 * ensemble) has an answer for each time, in turn: votes stay independent, and a repeated measurement gets the same.
 *
 * @param options.endpoint - Base URL of the endpoint that is asked for what is not kept, `/v1` included.
 */
export async function startCachingEndpoint(options: {
  readonly endpoint: string;
  readonly folder: string;
  readonly prices: PriceTable;
}) {
  const endpoint = options.endpoint.replace(/\/$/, "");
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const times = new Map<string, number>();
  const placeFor = (request: string): string => {
    const digest = createHash("sha256").update(`${endpoint}\n${request}`).digest("hex");
    const time = times.get(digest) ?? 0;
    times.set(digest, time + 1);
    return join(options.folder, `${digest}-${time}.json`);
  };
  /** `hits`: answers from the folder; `saved`: USD that they would have cost. */
  const figures = { answers: 0, hits: 0, saved: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await text(request);
    const path = request.url ?? "/";
    const place = placeFor(`${path}\n${asked}`);
    const kept = readSecret(place);
    if (kept !== null) {
      figures.answers += 1;
      figures.hits += 1;
      figures.saved += priceOf(kept, options.prices);
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
    const given = await reply.text();
    if (reply.status === 200) {
      figures.answers += 1;
      writeSecret(place, given);
    }
    const headers = [...reply.headers].filter(([name]) => PASSED_ON.test(name));
    response.writeHead(reply.status, Object.fromEntries(headers)).end(given);
  };
  const server = createServer((request, response) => {
    // The caller sees a broken connection, as it would without us, and tries again.
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  return {
    /** Takes the place of the model endpoint's base URL. */
    url: `http://127.0.0.1:${port}`,
    figures: () => ({ ...figures }),
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The part of a completion that says what it cost. */
const completionSchema = z.object({
  model: z.string(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
});

/** An answer that does not say what it cost saved nothing that could be named. */
function priceOf(answer: string, prices: PriceTable): number {
  try {
    const { model, usage } = completionSchema.parse(JSON.parse(answer));
    const tokens = { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens };
    return costOf(model, tokens, prices);
  } catch {
    return 0;
  }
}
