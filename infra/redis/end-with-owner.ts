import { spawn } from "node:child_process";
import type { Stream } from "node:stream";

/** Ends the Redis of a state file when standard input closes without a line, unless another owner took it over. */
const SCRIPT = `
trap '' INT HUP TERM
read -r line && exit 0
grep -qF "\\"owner\\": \\"$2\\"" "$1" || exit 0
pid=$(sed -n 's/^ *"pid": \\([0-9]*\\).*/\\1/p' "$1")
kill -TERM "$pid"
for n in 1 2 3 4 5 6 7 8 9 10; do sleep 1; kill -0 "$pid" || exit 0; done
kill -KILL "$pid"
`;

/** A process that ends a Redis whose owner has gone, however it went. */
export interface OwnerWatch {
  /** For further holders, as a stream that their processes inherit: Redis ends with the last of them. */
  readonly hold: Stream;
  /** Ends the watch; Redis stays as it is. */
  dismiss(): void;
}

/** Starts the watch on this process's pipe. @param stateFile - Of `writeState`. @param owner - Our identity there. */
export function endWithOwner(stateFile: string, owner: string): OwnerWatch {
  const watch = spawn("/bin/sh", ["-c", SCRIPT, "suture-redis-watch", stateFile, owner], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env["PATH"] },
    detached: true,
  });
  const { stdin } = watch;
  // Without a shell Redis lives on when its owner is killed; the next command takes it over.
  watch.on("error", () => undefined);
  stdin.on("error", () => undefined);
  watch.unref();
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return { hold: stdin, dismiss: () => void stdin.end("\n") };
}
