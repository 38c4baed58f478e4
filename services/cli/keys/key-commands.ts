import { loadConfig } from "#shared/config";
import { introduceGeneration, promoteGeneration, retireGenerations } from "#shared/envelope";
import type { KeyGenerations } from "#shared/envelope";
import { edgesOf, loadTeams } from "#shared/runtime";
import { CommandRefusedError } from "../errors.ts";
import {
  issueKeyFile,
  issueKeys,
  keyFile,
  openApiKeys,
  openMaster,
  readGenerations,
  writeGenerations,
} from "../launcher/key-files.ts";
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
 * files of the gateway, the surgeon and one process with all agents. Doing it again issues the same keys.
 */
export async function prepareKeys({ dataDir }: Options): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const teams = await loadTeams(config.teamsDir);
  const asked = { dataDir: config.dataDir, edges: edgesOf(teams) };
  const all = teams.flatMap((team) => [...team.agents.keys()]);
  const processes = { gateway: ["gateway"], surgeon: ["surgeon"], console: ["console"], agents: all };
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

/** @throws {CommandRefusedError} There is no master. {KeyringInvalidError} The signing generation itself would go. */
export function rotate({ dataDir, retireBefore }: Options & { readonly retireBefore?: number }): void {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  requireMaster(config.dataDir);
  const before = readGenerations(config.dataDir);
  const { generations, said } = step(before, retireBefore);
  writeGenerations(config.dataDir, generations);
  write(`${said} Generation ${generations.signing} signs; ${generations.verifying.join(", ")} verify.`);
}

function step(
  before: KeyGenerations,
  retireBefore: number | undefined,
): { generations: KeyGenerations; said: string } {
  if (retireBefore !== undefined) {
    const said = `Generations before ${retireBefore} are forgotten: issue all keys anew and restart every process.`;
    return { generations: retireGenerations(before, retireBefore), said };
  }
  const newest = Math.max(...before.verifying);
  if (newest > before.signing) {
    const said = `Second step: generation ${newest} signs from now on. Issue all keys anew and restart every process.`;
    return { generations: promoteGeneration(before), said };
  }
  const said =
    'First step: a new generation verifies. Issue all keys anew, restart every process, then run "suture keys rotate" again.';
  return { generations: introduceGeneration(before), said };
}

function requireMaster(dataDir: string): void {
  const file = keyFile.master(dataDir);
  if (readSecret(file) === null)
    throw new CommandRefusedError(`There is no master, ${file}.`, 'Make one with "suture keys new".');
}
