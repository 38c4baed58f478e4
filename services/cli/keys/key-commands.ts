import { loadConfig } from "#shared/config";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { issueKeyFile, issueKeys, openApiKeys, openMaster } from "../launcher/key-files.ts";
import { keyFile } from "../launcher/places.ts";
import { readSecret, writeSecret } from "../launcher/secret-file.ts";
import { write } from "../print/print-answer.ts";

interface Options {
  readonly dataDir?: string;
}

/** @throws {CommandRefusedError} There is one already: a second would make everything under way unverifiable. */
export function makeMaster({ dataDir }: Options): void {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const file = keyFile.master(config.dataDir);
  if (readSecret(file) !== null) {
    throw new CommandRefusedError(
      `There is a master already, ${file}.`,
      'Use "suture keys rotate" to change keys.',
    );
  }
  openMaster(config.dataDir);
  write(`Master made, ${file}. Whoever reads it can forge every agent: keep it where no agent runs.`);
}

/**
 * Makes what services that share one data folder need: the master and an API key where there are none, and the key
 * files of the gateway, the surgeon, the console and one process with all agents. Doing it again
 * issues the same keys.
 */
export async function prepareKeys({ dataDir }: Options): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const teams = await loadTeams(config.teamsDir);
  const asked = { dataDir: config.dataDir, edges: edgesOf(teams) };
  const all = teams.flatMap((team) => [...team.agents.keys()]);
  const processes = { gateway: ["gateway"], surgeon: ["surgeon"], console: ["console"], agents: all };
  openMaster(config.dataDir);
  for (const [name, agents] of Object.entries(processes)) {
    const file = issueKeyFile({ ...asked, agents, name });
    write(`Keys of ${name} are in ${file}.`);
  }
  if (config.apiKeys === null) write(`The API key is in ${openApiKeys(config.dataDir)}.`);
}

/** @throws {CommandRefusedError} No team has this agent, or there is no master. */
export async function issue(
  agent: string,
  { dataDir, out }: Options & { readonly out?: string },
): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  requireMaster(config.dataDir);
  const edges = edgesOf(await loadTeams(config.teamsDir));
  const known = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((name) => name !== "ward");
  if (!known.includes(agent)) {
    throw new CommandRefusedError(`No edge begins or ends at ${agent}.`, `There are ${known.join(", ")}.`);
  }
  const asked = { dataDir: config.dataDir, edges, agents: [agent], name: agent };
  if (out === "-") return write(issueKeys(asked).exportJson());
  if (out !== undefined) writeSecret(out, `${issueKeys(asked).exportJson()}\n`);
  const file = out ?? issueKeyFile(asked);
  write(`Keys of ${agent} are in ${file}. Give its process SUTURE_KEYS=@${file}`);
}

/** @throws {CommandRefusedError} There is no master. */
export function requireMaster(dataDir: string): void {
  const file = keyFile.master(dataDir);
  if (readSecret(file) === null)
    throw new CommandRefusedError(`There is no master, ${file}.`, 'Make one with "suture keys new".');
}
