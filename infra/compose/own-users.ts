import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findOnPath } from "../redis/find-redis-server.ts";
import type { ComposeService } from "./read-compose.ts";

/** A command with its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A user of containers that no machine has. */
const ANY = { user: { uid: 10_001, gid: 10_001 }, cap_add: [] } as const;

/**
 * Why services cannot run as users of their own here; null if they can: it takes root, `setpriv`, and a folder of the
 * project that others may read.
 */
export function whyNotOwnUsers(root: string): string | null {
  if (process.getuid?.() !== 0) return "the tests do not run as root";
  if (findOnPath("setpriv") === null) return "there is no setpriv on the PATH";
  const { command, args } = asUser(ANY, {
    command: process.execPath,
    args: ["--eval", `require("node:fs").readFileSync(${JSON.stringify(join(root, "package.json"))})`],
  });
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return null;
  } catch {
    return `another user may not read ${root}`;
  }
}

/** Returns the command with the user, the group and the capabilities of a service's container, and no others. */
export function asUser(
  { user, cap_add }: Pick<ComposeService, "user"> & { readonly cap_add: readonly string[] },
  { command, args }: CommandLine,
): CommandLine {
  const kept = cap_add.map((capability) => `,+${capability.toLowerCase()}`).join("");
  return {
    command: "setpriv",
    args: [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      "--clear-groups",
      "--no-new-privs",
      "--inh-caps=-all",
      `--bounding-set=-all${kept}`,
      "--",
      command,
      ...args,
    ],
  };
}
