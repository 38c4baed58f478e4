import { loadConfig } from "#shared/config";
import { createMedicalTeam } from "./create-team.ts";
import { createDutyDesk } from "./emergency/duty-desk.ts";

let deskUrl: string | null = null;

/** Reads the configuration at the first emergency, so that loading the team needs none. */
function readDeskUrl(): string {
  deskUrl ??= loadConfig().sandboxUrl;
  return deskUrl;
}

export default createMedicalTeam(createDutyDesk({ baseUrl: readDeskUrl }));
