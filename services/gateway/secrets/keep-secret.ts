import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { uuidv7 } from "#shared/clock";

/**
 * Reads a secret of this machine, made at the first start. Of several processes that start at once one makes it and all
 * read the same: the file appears whole or not at all, and is never written over.
 *
 * @param path - File, readable by its owner only.
 * @param make - Gives the text of a new one.
 */
export async function keepSecret(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${uuidv7()}`;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  try {
    await writeFile(temporary, make(), { mode: 0o600, flush: true });
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path, "utf8");
}

/** The system's own code, not a message. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
