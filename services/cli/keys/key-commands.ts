import { statSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { Keyring } from "#shared/envelope/keys";
import type { KeyGenerations } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import {
  issueKeyFile,
  issueKeys,
  openApiKeys,
  openMaster,
  readGenerations,
  readIssued,
} from "../launcher/key-files.ts";
import { keyFile, readSecret, writeSecret } from "../launcher/secret-file.ts";
import { printListing, write } from "../print/print-answer.ts";

interface Options {
  readonly dataDir?: string;
}

/** @throws {CommandRefusedError} There is one already: a second would make everything under way unverifiable. */
export function makeMaster({ dataDir }: Options): void {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const file = keyFile.master(config.dataDir);
  if (readSecret(file) !== null)
    throw new CommandRefusedError(
      `There is a master already, ${file}.`,
      'Use "suture keys rotate" to change keys.',
    );
  openMaster(config.dataDir);
  write(`Master made, ${file}. Whoever reads it can forge every agent: keep it where no agent runs.`);
}

/**
 * Makes what services that share one data folder need: the master and an API key where there are none, and the key
 * files of the gateway, the surgeon and one process with all agents. Doing it again
 * issues the same keys.
 */
export async function prepareKeys(options: Options): Promise<void> {
  const { dataDir, teamsDir, apiKeys } = loadConfig(undefined, { SUTURE_DATA_DIR: options.dataDir });
  const teams = await loadTeams(teamsDir);
  const all = teams.flatMap((team) => [...team.agents.keys()]);
  const processes = { gateway: ["gateway"], surgeon: ["surgeon"], agents: all };
  for (const [name, agents] of Object.entries(processes))
    write(`Keys of ${name} are in ${issueKeyFile({ dataDir, edges: edgesOf(teams), agents, name })}.`);
  if (apiKeys === null) write(`The API key is in ${openApiKeys(dataDir)}.`);
}

/** @throws {CommandRefusedError} No team has this agent, or there is no master. */
export async function issue(
  agent: string,
  { out, ...options }: Options & { readonly out?: string },
): Promise<void> {
  const { dataDir, teamsDir } = loadConfig(undefined, { SUTURE_DATA_DIR: options.dataDir });
  requireMaster(dataDir);
  const edges = edgesOf(await loadTeams(teamsDir));
  const known = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((name) => name !== "ward");
  if (!known.includes(agent))
    throw new CommandRefusedError(`No edge begins or ends at ${agent}.`, `There are ${known.join(", ")}.`);
  const asked = { dataDir, edges, agents: [agent], name: agent };
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

/** Tells which generations the key file of each process has, which the process uses once it has looked at it. */
export function showKeys({ json, ...options }: Options & { readonly json?: boolean }): void {
  const { dataDir } = loadConfig(undefined, { SUTURE_DATA_DIR: options.dataDir });
  const generations = readGenerations(dataDir);
  const processes = Object.keys(readIssued(dataDir)).flatMap((name) => {
    const file = keyFile.ofProcess(dataDir, name);
    const text = readSecret(file);
    if (text === null) return [];
    const { signing, verifying } = Keyring.fromJson(text).describe();
    return [{ name, signing, verifying, written_at: statSync(file).mtime.toISOString() }];
  });
  if (json !== true) write(describeGenerations(generations));
  printListing(
    {
      answer: { ...generations, processes },
      rows: processes,
      columns: [
        "name as process",
        ["signs with", ({ signing }) => signing.join(", ")],
        ["verifies", ({ verifying }) => verifying.join(", ")],
        "written_at",
      ],
      empty: "No keys were issued here.",
    },
    { json },
  );
}

/** Says for people which generations sign and verify. */
export function describeGenerations({ signing, verifying }: KeyGenerations): string {
  return `Generation ${signing} signs; ${verifying.join(", ")} verify.`;
}
