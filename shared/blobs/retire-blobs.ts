import type { Stats } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the files below a folder that were last written before `beforeMs`, blobs, facts and what crashes left alike.
 *
 * @returns Bytes of all files that are left.
 */
export async function retireBlobs(folder: string, beforeMs: number): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await statIfThere(path);
    if (found === null) continue;
    if (found.mtimeMs < beforeMs) await rm(path, { force: true });
    else bytes += found.size;
  }
  return bytes;
}

/** Another gateway on the same folder may have been faster. */
async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch {
    return null;
  }
}
