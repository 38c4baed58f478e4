import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { ModelClient } from "#shared/model";
import type { Team } from "#shared/runtime";
import { startRehearsal } from "../../services/rehearsal/server.ts";
import { standInsOf } from "../../services/rehearsal/answer-completion.ts";
import { temporaryFolder } from "#shared/testing";

/** The real rehearsal server with a team's stand-ins, and a client to it. Both go with the test. */
export async function openRehearsal(
  team: Team,
  faultRate = 0,
): Promise<{ readonly model: ModelClient; readonly url: string }> {
  const dataDir = temporaryFolder();
  const rehearsal = await startRehearsal({ port: 0, dataDir, findStandIn: standInsOf([team]), faultRate });
  const model = createModelClient({
    baseUrl: `${rehearsal.url}/v1`,
    apiKey: "none",
    models: { router: "rehearsal-router", worker: "rehearsal-worker", surgeon: "rehearsal-surgeon" },
    timeoutMs: 20_000,
    isRehearsal: true,
  });
  onTestFinished(async () => {
    model.close();
    await rehearsal.close();
  });
  return { model, url: rehearsal.url };
}
