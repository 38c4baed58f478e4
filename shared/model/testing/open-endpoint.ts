import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { openHttp } from "#shared/testing";
import { createModelClient } from "../create-model-client.ts";
import type { ModelClientOptions } from "../create-model-client.ts";
import type { ModelCall, ModelClient } from "../model-client.ts";

export type Answer = (response: ServerResponse, text: string) => void;

/** Opens a client of an endpoint on loopback that answers as the test says. Both end with the test. */
export async function openEndpoint(
  answer: Answer,
  options: Partial<ModelClientOptions> = {},
): Promise<ModelClient> {
  const { url, close } = await openHttp((_request, response, text) => {
    response.on("error", () => undefined);
    answer(response, text);
  });
  const client = createModelClient({
    baseUrl: `${url}/v1`,
    apiKey: "sk-test",
    models: { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" },
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => {
    client.close();
    close();
  });
  return client;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** A question with a schema that can be enforced. */
export const CALL: ModelCall = {
  tier: "worker",
  instructions: "Sort.",
  input: '{"text":"hello"}',
  schemaName: "triage.route@1",
  jsonSchema: {
    type: "object",
    properties: { route: { type: "string" } },
    required: ["route"],
    additionalProperties: false,
  },
  signal: new AbortController().signal,
  agent: "triage@1",
  step: "route",
};
