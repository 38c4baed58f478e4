import { lstatSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The longest path of a socket that every system takes: macOS has 104 bytes, Linux 108, with a zero at the end. */
const PATH_BYTES_MAX = 103;
const NAME = "redis.sock";

/**
 * Chooses the path of Redis' socket: in its own folder, or, if that path is too long, in a new folder that nobody
 * else can enter, below the system's for temporary files.
 *
 * @param last - Where it listened before, to be kept; empty: nowhere.
 */
export function chooseSocket(dir: string, last: string): string {
  const own = join(dir, NAME);
  if (Buffer.byteLength(own) <= PATH_BYTES_MAX) return own;
  // Folders of that kind are cleared now and then, and another user may have made one of the same name since.
  if (last !== "" && isOursAlone(dirname(last))) return last;
  return join(mkdtempSync(join(tmpdir(), "suture-")), NAME);
}

function isOursAlone(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}
