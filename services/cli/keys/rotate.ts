import { statSync } from "node:fs";
import { now, sleep } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { introduceGeneration, promoteGeneration, retireGenerations } from "#shared/envelope/keys";
import type { KeyEdge, KeyGenerations } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { withLockFolder } from "../../../infra/lock-folder.mjs";
import { issueKeyFile, readGenerations, readIssued, writeGenerations } from "../launcher/key-files.ts";
import { keyFile } from "../launcher/places.ts";
import { write, writeError } from "../print/print-answer.ts";
import { describeGenerations } from "./describe-generations.ts";
import { requireMaster } from "./key-commands.ts";

interface RotateOptions {
  readonly dataDir?: string;
  readonly retireBefore?: number;
}

/** What a slow process gets beyond two looks at its file until it has certainly read it, in ms. */
const READ_WITHIN_MS = 1000;
const LOCK_TIMEOUT_MS = 300_000;

/**
 * Takes the next step of a rotation and issues the keys of every process anew that were issued into this folder. Those
 * that run read them by themselves; before a step it is waited until they must have read those of the step before, so
 * that no message is sealed under keys that its receiver does not have yet.
 *
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
    const names = reissue(dataDir, edges);
    write(`${said} ${describeGenerations(generations)}`);
    write(`Issued anew for ${names.join(", ") || "nobody"}: processes that run read them by themselves.`);
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

/** @returns The names of the processes. */
function reissue(dataDir: string, edges: readonly KeyEdge[]): string[] {
  return Object.entries(readIssued(dataDir)).map(([name, { agents }]) => {
    issueKeyFile({ dataDir, edges, agents, name });
    return name;
  });
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
