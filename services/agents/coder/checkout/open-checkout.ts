import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { isProjectPath } from "./project-path.ts";

/**
 * Finds a checkout by its name, a relative path below the folder of all checkouts.
 *
 * @returns The checkout's real folder; null where there is none, or where its name leads out of that folder.
 */
export async function openCheckout(checkoutsDir: string, name: string): Promise<string | null> {
  if (!isProjectPath(name)) return null;
  try {
    const base = await realpath(checkoutsDir);
    const root = await realpath(join(base, name));
    if (!root.startsWith(base + sep)) return null;
    return (await lstat(root)).isDirectory() ? root : null;
  } catch {
    return null;
  }
}
