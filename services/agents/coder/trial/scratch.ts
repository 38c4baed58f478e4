import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { wallNow } from "#shared/clock";
import { killNow } from "#shared/sandbox";
import { isSameProcess, processIdentity } from "../../../../infra/lock-folder.mjs";

/** A folder of another machine on a shared disk is nobody's when it is as old as this. */
const FOREIGN_AGE_MS_MAX = 3_600_000;
const OWNER_FILE = "owner.json";

const ownerSchema = z.object({
  host: z.string(),
  /** Of the process that made the folder, as `processIdentity` writes it. */
  owner: z.string(),
  /** Of the process group that works in it: its leader's id and identity; null while there is none. */
  group: z.object({ pid: z.int().positive(), identity: z.string() }).nullable(),
});

/** A folder for one trial, which goes when the trial is over. */
export interface Scratch {
  /** Real path of an empty folder for the copy. */
  readonly work: string;
  /** Real path of an empty folder for temporary files. */
  readonly temporary: string;
  /** Real path of the folder that holds both. */
  readonly folder: string;
  /** Writes down which process group works here, so that a successor can end it. */
  recordGroup(pid: number): Promise<void>;
}

/** Does some work in a scratch folder of its own and removes it, however the work ends. */
export async function withScratch<Result>(
  scratchDir: string,
  work: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(await realpath(scratchDir), "trial-"));
  const owner = processIdentity(process.pid);
  const sign = (group: z.output<typeof ownerSchema>["group"]): Promise<void> =>
    writeFile(join(folder, OWNER_FILE), JSON.stringify({ host: hostname(), owner, group }));
  try {
    await sign(null);
    const [own, temporary] = [join(folder, "work"), join(folder, "tmp")];
    await mkdir(own);
    await mkdir(temporary);
    const recordGroup = (pid: number): Promise<void> => sign({ pid, identity: processIdentity(pid) });
    return await work({ work: own, temporary, folder, recordGroup });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Removes the folders of processes that died, and ends what still runs in them. Folders of living processes and young
 * ones of other machines are left alone.
 *
 * @returns How many folders were removed.
 */
export async function sweepScratch(scratchDir: string): Promise<number> {
  const names = await readdir(scratchDir).catch(() => []);
  let removed = 0;
  for (const name of names.filter((each) => each.startsWith("trial-"))) {
    const folder = join(scratchDir, name);
    if (!(await isAbandoned(folder))) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    removed += 1;
  }
  return removed;
}

async function isAbandoned(folder: string): Promise<boolean> {
  const signed = await readOwner(folder);
  if (signed === null || signed.host !== hostname()) return isOld(folder);
  if (isSameProcess(signed.owner)) return false;
  // Ids are used again: only the very process that was written down is ended.
  if (signed.group !== null && isSameProcess(signed.group.identity)) killNow(-signed.group.pid);
  return true;
}

async function readOwner(folder: string): Promise<z.output<typeof ownerSchema> | null> {
  try {
    const parsed = ownerSchema.safeParse(JSON.parse(await readFile(join(folder, OWNER_FILE), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

async function isOld(folder: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
  return wallNow() - mtimeMs > FOREIGN_AGE_MS_MAX;
}
