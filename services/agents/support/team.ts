import { loadConfig } from "#shared/config";
import { createSupportTeam } from "./create-team.ts";
import { createOutside } from "./outside/outside.ts";

let sandboxUrl: string | null = null;

/** Read at the first call to an outside system: whoever only needs the team's graph needs no configuration. */
function readSandboxUrl(): string {
  sandboxUrl ??= loadConfig().sandboxUrl;
  return sandboxUrl;
}

export default createSupportTeam(createOutside({ baseUrl: readSandboxUrl }));
