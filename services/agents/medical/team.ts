import { loadConfig } from "#shared/config";
import { createMedicalTeam } from "./create-team.ts";
import { createDutyDesk } from "./emergency/duty-desk.ts";

let deskUrl: string | null = null;

/** Read at the first emergency: whoever only needs the team's graph needs no configuration. */
function readDeskUrl(): string {
  deskUrl ??= loadConfig().sandboxUrl;
  return deskUrl;
}

export default createMedicalTeam(createDutyDesk({ baseUrl: readDeskUrl }));
