import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadTeams } from "#shared/runtime/process";
import { HOST_ADDRESS } from "../../infra/deploy/engine.ts";
import { MODEL_PORT, volumeOf } from "../../infra/deploy/stack.ts";
import type { Api } from "../../services/cli/http/call-api.ts";
import { startModelEndpoint } from "../support/model-endpoint.ts";
import type { ModelEndpoint } from "../support/model-endpoint.ts";

export const TEAMS = "services/agents";

/** Returns a secret as it lies in the volume of one container. */
export function secretOf(container: string, file: string): string {
  return readFileSync(join(volumeOf(`secrets-${container}`), file), "utf8").trim();
}

/** Returns the two services that are called from outside, on their published ports, with the generated key. */
export function readApis(): { readonly gateway: Api; readonly console: Api } {
  if (process.env["DEPLOY_FOLDER"] === undefined)
    throw new Error("These tests need the containers that `npm run check:deploy` brings up.");
  const key = secretOf("gateway", "api-keys").split(":")[2] ?? "";
  return {
    gateway: { service: "gateway", url: "http://127.0.0.1:8080", key },
    console: { service: "console", url: "http://127.0.0.1:8081", key },
  };
}

/** Starts the model's endpoint where all containers look for it. */
export async function startModel(): Promise<ModelEndpoint> {
  return startModelEndpoint(await loadTeams(TEAMS), { host: HOST_ADDRESS, port: MODEL_PORT });
}
