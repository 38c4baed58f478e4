import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isHistory, isProjectPath } from "./project-path.ts";

/** Bytes looked at for a zero byte, which no text has. */
const PROBE_BYTES = 8192;

export interface TextPlace {
  /** The checkout's real folder. */
  readonly root: string;
  readonly path: string;
  readonly bytesMax: number;
}

/**
 * Reads a text file of a checkout.
 *
 * @returns null where there is no such plain file inside the checkout, or where it is larger than `bytesMax` or
 * binary.
 */
export async function readText({ root, path, bytesMax }: TextPlace): Promise<string | null> {
  if (!isProjectPath(path) || isHistory(path)) return null;
  const place = join(root, path);
  try {
    // A link on the way would lead elsewhere; the root itself is real already.
    if ((await realpath(dirname(place))) !== dirname(place)) return null;
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.size > bytesMax) return null;
      const bytes = await file.readFile();
      return bytes.subarray(0, PROBE_BYTES).includes(0) ? null : bytes.toString("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** No such file, a folder in its place, or a link where none is followed. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO", "EMLINK", "ENAMETOOLONG"].includes(String(code));
}
