import { tmpdir } from "node:os";
import type { Launch, SandboxedCommand } from "./command.ts";

const BLOCK_BYTES = 512;
/** Processor seconds for each second allowed. */
const PROCESSORS = 4;

/**
 * The process group kills itself when its standard input closes, which it does when we die, however we die: a
 * loop that never yields inside the command cannot prevent it. Input that the command is to have comes on
 * descriptor 5. Core files, open files, written bytes and processor time are the kernel's to bound.
 */
const GUARDED = [
  'ulimit -c 0; ulimit -n 1024; ulimit -t "$1"; ulimit -f "$2"; shift 2',
  "exec 6<&0",
  "( cat <&6 >/dev/null; kill -KILL 0 ) >/dev/null 2>&1 3>&- 4>&- 5<&- &",
  "printf ready >&4",
  'exec "$@" <&5 4>&- 5<&- 6<&-',
].join("\n");

/** Runs the command in the caller's folder, with the rights and the network of this process. */
export function prepareWithoutIsolation(command: SandboxedCommand): Launch {
  const { bounds, folders } = command;
  const places = folders ?? { work: tmpdir(), temporary: tmpdir() };
  const seconds = Math.ceil(bounds.timeMs / 1000) * PROCESSORS;
  const blocks = Math.ceil(bounds.writtenBytesMax / BLOCK_BYTES);
  const own = [process.execPath, "--disable-sigusr1", ...command.args(places)];
  return {
    command: "/bin/sh",
    args: ["-c", GUARDED, "sh", String(seconds), String(blocks), ...own],
    env: command.env(places),
    cwd: places.work,
    places,
    hasNamespaces: false,
  };
}
