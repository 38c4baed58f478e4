import { existsSync, statSync, accessSync, constants } from "node:fs";
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import type { Launch, SandboxBounds, SandboxPlaces, SandboxedCommand } from "./command.ts";

const PLACES: SandboxPlaces = { work: "/sandbox/work", temporary: "/sandbox/tmp" };
const DEVICES = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];

/** Every Linux has this folder, and commands need nothing in it, so the new root is mounted over it. */
const STAGE = "/sys";
const ROOT = `${STAGE}/root`;

const GIBIBYTE = 1024 ** 3;
/** Maximum bytes and number of the mount points themselves. */
const MOUNT_POINTS = { bytes: 4 * 1024 * 1024, files: 2000 };
const OPEN_FILES_MAX = 1024;
/** CPU seconds of one process for each second allowed. */
const PROCESSORS = 4;

/** User ids that are assigned neither to people nor to services, and that exist in containers with an id range. */
const USER_IDS = { first: 40_000, last: 59_999 };
/** Every user's id inside a user namespace: "nobody". */
const NOBODY = 65_534;

/**
 * Runs the command in new namespaces, by util-linux. The first process is a shell that mounts what the command may see,
 * starts it and waits: when it ends, the kernel kills everything there. The command has no capability and another root.
 * As root, it gets a user id of its own; else a user namespace may mount, and a second one below it may not.
 */
export function prepareInNamespaces(command: SandboxedCommand): Launch {
  const isRoot = process.getuid?.() === 0;
  const namespaces = ["--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup"];
  const owner = isRoot ? [] : ["--user", "--map-root-user"];
  const enter = [
    findTool("unshare"),
    ...owner,
    ...namespaces,
    "--fork",
    "--kill-child",
    "--propagation",
    "private",
  ];
  return {
    command: findTool("setpriv"),
    // `unshare` is killed when we die, and kills the first process of the namespaces.
    args: ["--pdeathsig", "KILL", ...enter, "--", "/bin/sh", "-c", script(command, isRoot)],
    env: { PATH: SYSTEM_PATH, LC_ALL: "C" },
    cwd: "/",
    places: PLACES,
    hasNamespaces: true,
  };
}

/** The first process's script. Each line ends it on failure. */
function script(command: SandboxedCommand, isRoot: boolean): string {
  const { folders, bounds } = command;
  const userId = isRoot ? randomInt(USER_IDS.first, USER_IDS.last + 1) : 0;
  const seen = [...nodeFiles(), ...command.visible].map((path) => ({ path, isFolder: isFolder(path) }));
  const shown = [...seen, ...DEVICES.map((path) => ({ path, isFolder: false }))];
  const points = shown.map(({ path, isFolder: is }) => `${ROOT}${is ? path : dirname(path)}`);
  const scratch = ["upper", "changes", "tmp", "lower"].map((name) => `${STAGE}/${name}`);
  const own = [PLACES.work, PLACES.temporary, "/proc"].map((path) => `${ROOT}${path}`);
  const size = `size=${bounds.writtenBytesMax + MOUNT_POINTS.bytes}`;
  const files = `nr_inodes=${bounds.filesMax + MOUNT_POINTS.files}`;
  return [
    "set -eu; umask 022",
    `mount -t tmpfs -o ${size},${files},mode=755,nosuid,nodev sandbox ${STAGE}`,
    `mkdir -p ${[...new Set([...points, ...scratch, ...own])].map(quote).join(" ")}`,
    ...shown.filter((one) => !one.isFolder).map(({ path }) => `: > ${quote(ROOT + path)}`),
    ...(folders === null ? [] : [`mount --bind ${quote(folders.work)} ${STAGE}/lower`]),
    ...(isRoot ? [`chown -R -h ${userId}:${userId} ${STAGE}/upper ${STAGE}/tmp ${STAGE}/lower`] : []),
    `printf %s ${quote(mounts(seen, command, isRoot))} > ${STAGE}/fstab`,
    `mount --all --fstab ${STAGE}/fstab`,
    // Containers may forbid it; Node works without.
    `mount -t proc -o hidepid=2,nosuid,nodev,noexec proc ${ROOT}/proc 2>/dev/null || :`,
    "printf ready >&4",
    `${chain(command, isRoot ? userId : null)
      .map(quote)
      .join(" ")} <&5 4>&- 5<&- && end=0 || end=$?`,
    // Keeps the shell as parent; otherwise it may exec the command, and nobody reaps its processes.
    'exit "$end"',
  ].join("\n");
}

interface Shown {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The mounts, in fstab order. Only the working copy and the temporary folder are writable. */
function mounts(seen: readonly Shown[], { folders }: SandboxedCommand, isRoot: boolean): string {
  // A file that untrusted code writes is started as no program.
  const written = "nosuid,nodev,noexec";
  const lines: [from: string, to: string, type: string, options: string][] = [
    [ROOT, ROOT, "none", "bind,ro,nosuid,nodev"],
    [`${STAGE}/tmp`, ROOT + PLACES.temporary, "none", `bind,${written}`],
    folders === null
      ? [`${STAGE}/upper`, ROOT + PLACES.work, "none", `bind,${written}`]
      : ["sandbox", ROOT + PLACES.work, "overlay", `${overlay(isRoot)},${written}`],
    ...seen.map(({ path }): [string, string, string, string] => [
      path,
      ROOT + path,
      "none",
      "bind,ro,nosuid,nodev",
    ]),
    ...DEVICES.map((path): [string, string, string, string] => [path, ROOT + path, "none", "bind"]),
  ];
  return lines
    .map(([from, to, type, options]) => `${escape(from)} ${escape(to)} ${type} ${options} 0 0\n`)
    .join("");
}

function overlay(isRoot: boolean): string {
  const layers = `lowerdir=${STAGE}/lower,upperdir=${STAGE}/upper,workdir=${STAGE}/changes`;
  return isRoot ? layers : `${layers},userxattr`;
}

/** The programs that drop privileges one after another and then exec the command. */
function chain(command: SandboxedCommand, userId: number | null): string[] {
  const env = Object.entries(command.env(PLACES)).map(([name, value]) => `${name}=${value}`);
  const kept = userId === null ? [] : ["--bounding-set=-all,+sys_chroot,+setuid,+setgid", "--inh-caps=-all"];
  const identity =
    userId === null
      ? ["--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
      : [`--setuid=${userId}`, `--setgid=${userId}`];
  const bounded = [findTool("prlimit"), ...limits(command.bounds)];
  const without = [findTool("setpriv"), "--no-new-privs", ...kept];
  const inside = [findTool("unshare"), ...identity, `--root=${ROOT}`, `--wd=${PLACES.work}`, "--"];
  const node = [process.execPath, "--disable-sigusr1", ...command.args(PLACES)];
  return [findTool("env"), "-i", ...env, ...bounded, ...without, ...inside, ...node];
}

function limits(bounds: SandboxBounds): string[] {
  return [
    `--nproc=${bounds.tasksMax}`,
    `--cpu=${Math.ceil(bounds.timeMs / 1000) * PROCESSORS}`,
    // Node reserves more than half a gibibyte that it never uses.
    `--data=${bounds.memoryBytesMax + GIBIBYTE}`,
    `--nofile=${OPEN_FILES_MAX}`,
    "--core=0",
  ];
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function escape(path: string): string {
  return path.replaceAll(/[\s\\#"]/g, (character) => {
    const code = character.charCodeAt(0).toString(8).padStart(3, "0");
    return `\\${code}`;
  });
}

/** The loader's cache of libraries outside of standard folders. */
const LOADER_CACHE = "/etc/ld.so.cache";

interface Report {
  excludeNetwork: boolean;
  getReport(): { readonly sharedObjects: readonly string[] };
}

let files: readonly string[] | null = null;

/** Returns the files that this Node needs to start: its executable and its shared libraries. */
export function nodeFiles(): readonly string[] {
  files ??= [process.execPath, ...sharedLibraries(), LOADER_CACHE].filter((file) => existsSync(file));
  return files;
}

function sharedLibraries(): string[] {
  // Node documents both fields; its types lack them.
  const report = process.report as unknown as Report;
  const before = report.excludeNetwork;
  // Otherwise the report resolves the host names of this machine's addresses.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport();
  report.excludeNetwork = before;
  return sharedObjects.filter((file) => file.startsWith("/") && !file.endsWith(".node"));
}

/** Standard folders of system programs. PATH is ignored, because these programs may run as root. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"];

const SYSTEM_PATH = FOLDERS.join(":");

/** A required system program is not installed. */
export class ToolMissingError extends Error {
  constructor(name: string) {
    super(`${name} is not installed (it is part of util-linux)`);
  }
}

/** Returns the absolute path of a program of the system. @throws {ToolMissingError} */
export function findTool(name: string): string {
  const found = FOLDERS.map((folder) => join(folder, name)).find((path) => isExecutable(path));
  if (found === undefined) throw new ToolMissingError(name);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
