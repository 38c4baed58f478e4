import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createModelClient } from "../create-model-client.ts";
import type { ModelClientOptions } from "../create-model-client.ts";
import type { ModelCall, ModelClient } from "../model-client.ts";

export type Answer = (response: ServerResponse, text: string) => void;

/** Opens a client of an endpoint on loopback that answers as the test says. Both end with the test. */
export async function openEndpoint(
  answer: Answer,
  options: Partial<ModelClientOptions> = {},
): Promise<ModelClient> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => answer(response, text));
    response.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const client = createModelClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: "sk-test",
    models: { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" },
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
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
