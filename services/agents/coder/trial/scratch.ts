import { mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { wallNow } from "#shared/clock";

/** Longer than any trial takes: an older folder is left by a process that died. */
const AGE_MS_MAX = 3_600_000;

/** A folder for one trial, which goes when the trial is over. */
export interface Scratch {
  /** Real path of an empty folder for the copy. */
  readonly work: string;
  /** Real path of an empty folder for temporary files. */
  readonly temporary: string;
}

/** Does some work in a scratch folder of its own and removes it, however the work ends. */
export async function withScratch<Result>(
  scratchDir: string,
  act: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(await realpath(scratchDir), "trial-"));
  const [work, temporary] = [join(folder, "work"), join(folder, "tmp")];
  try {
    await mkdir(work);
    await mkdir(temporary);
    return await act({ work, temporary });
  } finally {
    await remove(folder);
  }
}

/** Removes the folders of processes that died, by their age. Returns how many. */
export async function sweepScratch(scratchDir: string): Promise<number> {
  const names = await readdir(scratchDir).catch(() => []);
  let removed = 0;
  for (const name of names.filter((each) => each.startsWith("trial-"))) {
    const folder = join(scratchDir, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (wallNow() - mtimeMs <= AGE_MS_MAX) continue;
    await remove(folder);
    removed += 1;
  }
  return removed;
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
