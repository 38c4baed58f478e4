import { existsSync } from "node:fs";
import { realpath, symlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * Links a folder of installed packages into a copy that has none. The link leads to a folder that the operator named
 * and that the tests may read.
 *
 * @returns The folder's real path; null where nothing was linked.
 */
export async function linkModules(work: string, modules: string | null): Promise<string | null> {
  const place = join(work, "node_modules");
  if (modules === null || !existsSync(modules) || existsSync(place)) return null;
  const real = await realpath(modules);
  await symlink(real, place);
  return real;
}
