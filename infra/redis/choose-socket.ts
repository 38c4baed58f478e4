import { lstatSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Longest socket path of all systems: macOS has 104 bytes, Linux 108, including a zero byte. */
const PATH_BYTES_MAX = 103;
const NAME = "redis.sock";

/**
 * Chooses the path of Redis' socket: in its own folder, or, if that is too long, in a new private folder below the
 * system's temporary folder.
 * @param last - The previous path, kept if possible; empty for none.
 */
export function chooseSocket(dir: string, last: string): string {
  const own = join(dir, NAME);
  if (Buffer.byteLength(own) <= PATH_BYTES_MAX) return own;
  // Temporary folders are cleared at times, and another user may have created one of this name since.
  if (last !== "" && isOursAlone(dirname(last))) return last;
  return join(mkdtempSync(join(tmpdir(), "suture-")), NAME);
}

function isOursAlone(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}
