import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { Config } from "#shared/config";
import { readJson } from "#shared/json";
import { costOf, PRICES_DEFAULT } from "#shared/model";
import type { PriceTable } from "#shared/model";
import { readSecret, writeSecret } from "../launcher/key-files.ts";
import type { Purse } from "./run-trials.ts";

const TIMEOUT_MS = 600_000;
/** Headers of an answer that a client acts on. */
const PASSED_ON = /^(?:content-type|retry-after|retry-after-ms|x-ratelimit-.*)$/;

/**
 * A loopback model endpoint that answers from a folder, and passes the rest on with the caller's key. Keeps complete
 * answers (status 200) alone, a file each by endpoint and whole request. A request that is asked several times has an
 * answer for each time, so that votes stay independent. The price of a kept answer goes back into the purse.
 */
export async function startCachingEndpoint(
  { openaiBaseUrl, modelPrices }: Pick<Config, "openaiBaseUrl" | "modelPrices">,
  folder: string,
  purse: Purse,
) {
  const endpoint = (openaiBaseUrl ?? "https://api.openai.com/v1").replace(/\/$/, "");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const times = new Map<string, number>();
  const placeFor = (request: string): string => {
    const digest = createHash("sha256").update(`${endpoint}\n${request}`).digest("hex");
    const time = times.get(digest) ?? 0;
    times.set(digest, time + 1);
    return join(folder, `${digest}-${time}.json`);
  };
  /** `hits`: answers from the folder; `saved`: USD that they would have cost. */
  const figures = { answers: 0, hits: 0, saved: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { method = "POST", url: path = "/", headers: asked } = request;
    const place = placeFor(`${path}\n${body}`);
    const kept = readSecret(place);
    if (kept !== null) {
      figures.answers += 1;
      figures.hits += 1;
      const saved = priceOf(kept, { ...PRICES_DEFAULT, ...modelPrices });
      figures.saved += saved;
      purse.left += saved;
      return void response.writeHead(200, { "content-type": "application/json" }).end(kept);
    }
    const leaving = new AbortController();
    response.once("close", () => leaving.abort());
    const reply = await fetch(`${endpoint}${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: asked.authorization ?? "" },
      body,
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
  // The caller of one that fails sees a broken connection, as it would without us, and tries again.
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    /** Takes the place of the model endpoint's base URL. A server that listens on a port has an address. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    figures: figures as Readonly<typeof figures>,
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
  const { data } = completionSchema.safeParse(readJson(answer));
  if (data === undefined) return 0;
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = data.usage;
  return costOf(data.model, { input_tokens, output_tokens }, prices);
}
