import { writeFileSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { checkIsolation } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { write } from "../print/print-answer.ts";
import { composeFile } from "./compose-file.ts";
import type { ComposeChoices } from "./containers.ts";

/**
 * Writes the compose file of the loaded teams, in the profile that `SUTURE_TRUST` names, to a file or with `-` to
 * standard output.
 *
 * @throws {IsolationUnsupportedError} A team cannot work in that profile.
 */
export async function writeComposeFile(
  options: Pick<ComposeChoices, "fileTeams"> & { readonly out: string },
): Promise<void> {
  const { teamsDir, trust } = loadConfig();
  const teams = await loadTeams(teamsDir);
  if (trust === "isolated") checkIsolation(teams);
  const text = composeFile(teams, { ...options, trust });
  if (options.out === "-") return void process.stdout.write(text);
  writeFileSync(options.out, text);
  write(`The compose file is in ${options.out}. Start it with "docker compose up --build".`);
}
