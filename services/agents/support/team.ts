import { loadConfig } from "#shared/config";
import { createSupportTeam } from "./create-team.ts";
import { createOutside } from "./outside/outside.ts";

let sandboxUrl: string | null = null;

/** Reads the configuration at the first call, so that loading the team needs none. */
function readSandboxUrl(): string {
  sandboxUrl ??= loadConfig().sandboxUrl;
  return sandboxUrl;
}

export default createSupportTeam(createOutside({ baseUrl: readSandboxUrl }));
