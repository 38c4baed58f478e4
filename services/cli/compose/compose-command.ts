import { writeFileSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { write } from "../print/print-answer.ts";
import { composeFile } from "./compose-file.ts";
import type { ComposeChoices } from "./containers.ts";

/** Writes the compose file of the loaded teams to a file, or with `-` to standard output. */
export async function writeComposeFile(
  options: Pick<ComposeChoices, "fileTeams"> & { readonly out: string },
): Promise<void> {
  const { teamsDir } = loadConfig();
  const teams = await loadTeams(teamsDir);
  const text = composeFile(teams, options);
  if (options.out === "-") return void process.stdout.write(text);
  writeFileSync(options.out, text);
  write(`The compose file is in ${options.out}. Start it with "docker compose up --build".`);
}
