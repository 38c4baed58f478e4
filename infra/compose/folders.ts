import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findOnPath } from "../redis/obtain-redis-server.ts";
import type { ComposeFile, ComposeService } from "./read-compose.ts";

/** Folder of the data of Redis, which its image gives to its own user; a new volume takes that over. */
const REDIS_DATA = "/data";

interface FoldersOptions {
  readonly file: ComposeFile;
  /** Folder of the compose file. */
  readonly root: string;
  /** Empty folder that holds volumes and what stands for memory. */
  readonly folder: string;
  /** True: folders are given to the users of containers. */
  readonly ownUsers: boolean;
}

/** The folders of this machine that stand for volumes, mounted files and file systems in memory. */
export class Folders {
  readonly #options: FoldersOptions;

  constructor(options: FoldersOptions) {
    this.#options = options;
  }

  /** Makes the volumes, as an engine does: of root, and open to all who are let in. */
  make(): void {
    const { file, folder } = this.#options;
    chmodSync(folder, 0o755);
    for (const name of Object.keys(file.volumes)) makeOpen(this.volume(name));
    for (const [name, service] of Object.entries(file.services)) {
      for (const mount of service.volumes.filter((one) => one.startsWith("./"))) this.#copyMounted(mount);
      const data = service.volumes.find((mount) => mount.endsWith(`:${REDIS_DATA}`));
      if (data !== undefined) this.#give(this.volume(data.split(":")[0] ?? ""), service);
      for (const entry of service.tmpfs) this.#makeMemory(name, service, entry);
      for (const { to, folder: target } of this.#mountsOf(name, service)) {
        makeOpen(dirname(this.#inContainer(name, to)));
        symlinkSync(target, this.#inContainer(name, to));
      }
    }
  }

  volume(name: string): string {
    return join(this.#options.folder, `volume-${name}`);
  }

  /** Folder that stands for a container's own `/tmp`. */
  temporary(service: string): string {
    return this.#memory(service, "/tmp");
  }

  /** Returns a path that is mounted into a container, or holds what is, as that of this machine. */
  translate(service: ComposeService, name: string, word: string): string {
    const [, at = "", path = ""] = /^(@?)(\/.*)$/.exec(word) ?? [];
    const isMounted = this.#mountsOf(name, service).some(
      ({ to }) => `${path}/`.startsWith(`${to}/`) || to.startsWith(`${path}/`),
    );
    return path !== "" && isMounted ? `${at}${this.#inContainer(name, path)}` : word;
  }

  #mountsOf(name: string, service: ComposeService): { readonly to: string; readonly folder: string }[] {
    const mounts = service.volumes.map((mount) => {
      const [from = "", to = ""] = mount.split(":");
      return { to, folder: from.startsWith("./") ? this.#mounted(from) : this.volume(from) };
    });
    const memory = service.tmpfs.map((entry) => entry.split(":")[0] ?? "");
    return [...mounts, ...memory.map((to) => ({ to, folder: this.#memory(name, to) }))];
  }

  #inContainer(name: string, path: string): string {
    return join(this.#options.folder, "containers", name, path);
  }

  #mounted(from: string): string {
    return join(this.#options.folder, "mounted", basename(from));
  }

  #copyMounted(mount: string): void {
    const [from = ""] = mount.split(":");
    makeOpen(join(this.#options.folder, "mounted"));
    cpSync(join(this.#options.root, from), this.#mounted(from));
    chmodSync(this.#mounted(from), 0o644);
  }

  #memory(service: string, path: string): string {
    return join(this.#options.folder, "memory", `${service}${path.replaceAll("/", "-")}`);
  }

  #makeMemory(name: string, service: ComposeService, entry: string): void {
    const [path = "", options = ""] = entry.split(":");
    const { uid, gid, mode } = Object.fromEntries(options.split(",").map((one) => one.split("=")));
    const wanted = { uid: Number(uid ?? 0), gid: Number(gid ?? 0) };
    if (wanted.uid !== service.user.uid || mode !== "0700")
      throw new Error(`${name} has memory at ${path} that is not its user's own`);
    const folder = this.#memory(name, path);
    makeOpen(join(this.#options.folder, "memory"));
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
    this.#give(folder, { user: wanted });
  }

  #give(folder: string, { user }: Pick<ComposeService, "user">): void {
    if (this.#options.ownUsers) chownSync(folder, user.uid, user.gid);
  }
}

/** A folder that all may enter, as its parents, whatever the mask of this process. */
function makeOpen(folder: string): void {
  if (existsSync(folder)) return;
  makeOpen(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}

/** A command with its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A user of containers that no machine has. */
const ANY = { user: { uid: 10_001, gid: 10_001 }, cap_add: [] } as const;

/** Returns why services cannot run as users of their own here, or null: it takes root, `setpriv` and an open folder. */
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
