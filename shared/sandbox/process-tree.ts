import { readFile } from "node:fs/promises";

/** Returns the ids of a process's children. Empty when the system does not tell, or the process is gone. */
export async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return listed
    .split(" ")
    .filter((id) => id !== "")
    .map(Number);
}

/** Returns the resident bytes of a process and its descendants; 0 when the system does not tell. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  const below = await Promise.all((await childrenOf(pid)).map((child) => residentBytes(child)));
  return below.reduce((sum, bytes) => sum + bytes, kibibytes * 1024);
}

/** Sends SIGKILL. Does nothing when the process is gone. @param pid - Negative: a process group. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
