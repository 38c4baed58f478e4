import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { FoundLack, ModelAnswer, ModelCall } from "#shared/model";
import { listenLocally } from "./listen-locally.ts";

/** What the endpoint answers to every request that it does not refuse. */
export const ANSWER = '{"route":"sales"}';

/** A refusal as it is sent; null for a request that is answered. */
type Refuse = (sent: string) => { readonly status: number; readonly body: unknown } | null;

/** A client of an endpoint that refuses what a test says. */
export interface Refusing {
  /** Asks with a schema, a temperature and a bound, each time about something else. */
  readonly ask: (more?: Partial<ModelCall>) => Promise<ModelAnswer>;
  /** Bodies of requests, as text. */
  readonly seen: string[];
  readonly found: FoundLack[];
}

export async function openRefusing(refuse: Refuse): Promise<Refusing> {
  const seen: string[] = [];
  const found: FoundLack[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      seen.push(text);
      const refusal = refuse(text);
      const message = { role: "assistant", content: ANSWER };
      const answer = { choices: [{ index: 0, finish_reason: "stop", message }] };
      response.writeHead(refusal?.status ?? 200, { "content-type": "application/json" });
      response.end(JSON.stringify(refusal?.body ?? answer));
    });
  });
  const port = await listenLocally(server);
  const client = createModelClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: "test",
    models: { router: "m", worker: "m", surgeon: "m" },
    timeoutMs: 60_000,
    onLack: (one) => found.push(one),
  });
  onTestFinished(() => {
    client.close();
  });
  const ask = (more: Partial<ModelCall> = {}) =>
    client.ask({
      tier: "worker",
      instructions: "Sort the mail.",
      input: JSON.stringify({ text: `Grüße ${(asked += 1)}` }),
      schemaName: "triage.route@1",
      jsonSchema: {
        type: "object",
        properties: { route: { type: "string" } },
        required: ["route"],
        additionalProperties: false,
      },
      temperature: 0.5,
      tokensMax: 100,
      signal: new AbortController().signal,
      agent: "triage@1",
      step: "route",
      ...more,
    });
  return { ask, seen, found };
}
