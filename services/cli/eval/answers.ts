import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { randomHex } from "#shared/clock";
import { costOf } from "#shared/model";
import type { PriceTable } from "#shared/model";

/**
 * Answers of a model endpoint in a folder, a file each, by endpoint and whole request. A request that is asked several
 * times (votes of an ensemble) has an answer for each time, in turn: votes stay independent, and a repeated
 * measurement gets the same ones again. No key is kept: the request's headers are not part of it.
 */
export class AnswerFolder {
  readonly #folder: string;
  readonly #endpoint: string;
  readonly #asked = new Map<string, number>();

  /** Creates the folder, for this user alone, where it is missing. */
  constructor(folder: string, endpoint: string) {
    this.#folder = folder;
    this.#endpoint = endpoint;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Gives the place of the next answer to this request. */
  placeFor(request: string): string {
    const digest = createHash("sha256").update(`${this.#endpoint}\n${request}`).digest("hex");
    const times = this.#asked.get(digest) ?? 0;
    this.#asked.set(digest, times + 1);
    return join(this.#folder, `${digest}-${times}.json`);
  }

  /** Returns the kept answer; null for none. */
  read(place: string): string | null {
    try {
      return readFileSync(place, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  }

  /** Keeps an answer. A reader sees all of it or nothing. */
  keep(place: string, answer: string): void {
    const draft = `${place}.${randomHex(4)}`;
    writeFileSync(draft, answer, { mode: 0o600 });
    renameSync(draft, place);
  }
}

export type CachingEndpoint = Awaited<ReturnType<typeof startCachingEndpoint>>;

const TIMEOUT_MS = 600_000;
/** Headers of an answer that a client acts on. */
const PASSED_ON = /^(?:content-type|retry-after|retry-after-ms|x-ratelimit-.*)$/;

/**
 * A model endpoint on the loopback interface that answers from a folder what it has answered before, and passes the
 * rest on with the caller's own key. Only complete answers (status 200) are kept: a refusal is asked for again.
 *
 * @param options.endpoint - Base URL of the endpoint that is asked for what is not kept, `/v1` included.
 */
export async function startCachingEndpoint(options: {
  readonly endpoint: string;
  readonly folder: string;
  readonly prices: PriceTable;
}) {
  const endpoint = options.endpoint.replace(/\/$/, "");
  const folder = new AnswerFolder(options.folder, endpoint);
  /** `hits`: answers from the folder; `saved`: USD that they would have cost. */
  const figures = { answers: 0, hits: 0, saved: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await text(request);
    const path = request.url ?? "/";
    const place = folder.placeFor(`${path}\n${asked}`);
    const kept = folder.read(place);
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
      folder.keep(place, given);
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
