import { statSync } from "node:fs";
import { now, sleep } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { introduceGeneration, Keyring, promoteGeneration, retireGenerations } from "#shared/envelope/keys";
import type { KeyGenerations } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { withLockFolder } from "../../../infra/lock-folder.mjs";
import { CommandRefusedError } from "../errors.ts";
import {
  issueKeyFile,
  issueKeys,
  keyFile,
  openApiKeys,
  openMaster,
  readGenerations,
  readIssued,
  readSecret,
  writeGenerations,
  writeSecret,
} from "../launcher/key-files.ts";
import { printListing, write, writeError } from "../print/print-answer.ts";

interface Options {
  readonly dataDir?: string;
}

interface RotateOptions extends Options {
  readonly retireBefore?: number;
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
function requireMaster(dataDir: string): void {
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
  printListing({
    answer: { ...generations, processes },
    rows: processes,
    columns: [
      "name as process",
      ["signs with", ({ signing }) => signing.join(", ")],
      ["verifies", ({ verifying }) => verifying.join(", ")],
      "written_at",
    ],
    empty: "No keys were issued here.",
    json,
  });
}

function describeGenerations({ signing, verifying }: KeyGenerations): string {
  return `Generation ${signing} signs; ${verifying.join(", ")} verify.`;
}

/** Margin for a slow process to read its key file, beyond two of its check intervals (`keysCheckMs`), in ms. */
const READ_WITHIN_MS = 1000;
const LOCK_TIMEOUT_MS = 300_000;

/**
 * Takes the next step of a rotation and issues all issued keys anew. Running processes read them; each step waits until
 * they must have read the last, so that no message is sealed with a key that its receiver lacks.
 * @throws {CommandRefusedError} There is no master. {KeyringInvalidError} The signing generation itself would go.
 */
export async function rotate(options: RotateOptions): Promise<void> {
  const { dataDir, teamsDir, keysCheckMs } = loadConfig(undefined, {
    SUTURE_DATA_DIR: options.dataDir,
  });
  requireMaster(dataDir);
  const edges = edgesOf(await loadTeams(teamsDir));
  const lock = { folder: `${keyFile.generations(dataDir)}.lock`, timeoutMs: LOCK_TIMEOUT_MS };
  await withLockFolder(lock, async () => {
    await untilRead(dataDir, 2 * keysCheckMs + READ_WITHIN_MS);
    const { generations, said } = step(readGenerations(dataDir), options);
    writeGenerations(dataDir, generations);
    const issued = Object.entries(readIssued(dataDir));
    for (const [name, { agents }] of issued) issueKeyFile({ dataDir, edges, agents, name });
    write(`${said} ${describeGenerations(generations)}`);
    write(
      `Issued anew for ${issued.map(([name]) => name).join(", ") || "nobody"}: processes that run read them by themselves.`,
    );
    write("Keys that are elsewhere (--out, other machines) have to be issued and carried anew.");
  });
}

/** Waits until every process has read what the last step wrote. */
async function untilRead(dataDir: string, withinMs: number): Promise<void> {
  const steppedMs = statSync(keyFile.generations(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const waitMs = Math.min(steppedMs + withinMs - now(), withinMs);
  if (waitMs <= 0) return;
  writeError(
    `Waiting ${Math.ceil(waitMs / 1000)} s, until every process has read the keys of the last step.`,
  );
  await sleep(waitMs);
}

function step(
  before: KeyGenerations,
  { retireBefore }: RotateOptions,
): { readonly generations: KeyGenerations; readonly said: string } {
  if (retireBefore !== undefined) {
    const said = `Generations before ${retireBefore} are forgotten.`;
    return { generations: retireGenerations(before, retireBefore), said };
  }
  const newest = Math.max(...before.verifying);
  if (newest > before.signing) {
    const said = `Second step: generation ${newest} signs from now on.`;
    return { generations: promoteGeneration(before), said };
  }
  const said =
    'First step: a new generation verifies. Once all processes have it, run "suture keys rotate" again.';
  return { generations: introduceGeneration(before), said };
}
