import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { ModelClient } from "#shared/model";
import { temporaryFolder } from "#shared/testing";
import { startRehearsal } from "../server.ts";
import type { Rehearsal, RehearsalOptions } from "../server.ts";

/** Starts a server of its own, without stand-ins unless the test gives some. It ends with the test. */
export async function openServer(options: Partial<RehearsalOptions> = {}): Promise<Rehearsal> {
  const found = { dataDir: temporaryFolder(), findStandIn: () => undefined, hangMsMax: 60, ...options };
  const rehearsal = await startRehearsal({ port: 0, ...found });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

/** Opens a client to the server. It closes with the test. */
export function clientOf({ url }: Rehearsal): ModelClient {
  const client = createModelClient({
    baseUrl: `${url}/v1`,
    apiKey: "rehearsal",
    models: { router: "rehearsal-router", worker: "rehearsal-worker", surgeon: "rehearsal-surgeon" },
    isRehearsal: true,
  });
  onTestFinished(() => client.close());
  return client;
}
