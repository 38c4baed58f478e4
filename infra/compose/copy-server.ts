import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import type { RedisServer } from "../redis/find-redis-server.ts";

/** Copies a server, which may be in a person's own cache, to where the user of its container may start it. */
export function copyServer({ command, env }: RedisServer, folder: string): RedisServer {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const copy = join(folder, basename(command));
  copyFileSync(command, copy);
  chmodSync(copy, 0o755);
  const libraries = (env["LD_LIBRARY_PATH"] ?? "").split(delimiter).filter((path) => existsSync(path));
  const copied = libraries.map((path, index) => {
    const to = join(folder, `libraries-${index}`);
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
    return to;
  });
  return { command: copy, env: copied.length === 0 ? env : { LD_LIBRARY_PATH: copied.join(delimiter) } };
}
