import { readdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";

/**
 * Removes the files below a folder that were last written before `beforeMs`; returns bytes left by owner.
 * @param ownerOf - Returns the name to count a file under, by its path below `folder`. Null: not counted.
 */
export async function retireBlobs(
  folder: string,
  beforeMs: number,
  ownerOf: (path: string) => string | null,
): Promise<Map<string, number>> {
  const held = new Map<string, number>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Another gateway on the same folder may have been faster.
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    if (found.mtimeMs < beforeMs) await rm(path, { force: true });
    else {
      const owner = ownerOf(relative(folder, entry.parentPath));
      if (owner !== null) held.set(owner, (held.get(owner) ?? 0) + found.size);
    }
  }
  return held;
}
